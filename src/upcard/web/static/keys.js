// Letter keys: G then a letter goes to a page, ranks click cards, ? lists the keys.
// They can be switched off (WCAG 2.1.4), and never act in a field or with a modifier.

const PAGES = { r: "/rules", h: "/hand", d: "/drills", b: "/lab", y: "/history", o: "/houses", l: "/learn/", s: "/settings" };
const PREFIX_MS = 1500;

/** Begin to listen. */
export function start() {
  let since = -PREFIX_MS;
  document.addEventListener("keydown", (event) => {
    if (document.documentElement.dataset.keys === "off") return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.matches("input:not([type=radio]), select, textarea") || document.querySelector("dialog[open]")) return;
    const key = event.key.toLowerCase();
    if (performance.now() - since < PREFIX_MS && key in PAGES) {
      const path = PAGES[/** @type {keyof typeof PAGES} */ (key)];
      const link = /** @type {HTMLAnchorElement | null} */ (document.querySelector(`.top a[href^="${path}"]`));
      location.assign(link?.href ?? path);
    } else if (key === "g") {
      since = performance.now();
    } else if (key === "?") {
      location.assign("/settings#keys-title");
    } else if (/^[a2-9t]$/.test(key)) {
      /** @type {HTMLElement | null} */ (document.getElementById(`add-${key.toUpperCase()}`))?.click();
    }
  });
}
