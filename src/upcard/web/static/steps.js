// Arrow keys follow the links to the place before and after: questions of a round, pages of a list.

const LINKS = { ArrowLeft: "prev", ArrowRight: "next" };

/** Begin to listen. */
export function start() {
  document.addEventListener("keydown", (event) => {
    const rel = LINKS[/** @type {keyof typeof LINKS} */ (event.key)];
    if (!rel || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.defaultPrevented) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.closest("input, select, textarea, summary, dialog, [role=grid], .scroll")) return;
    /** @type {HTMLAnchorElement | null} */ (document.querySelector(`main a[rel=${rel}]`))?.click();
  });
}
