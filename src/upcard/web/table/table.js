// The table: keys, the deal that a key finishes, the bet's steps, reasons in a dialog, other tabs.
// All of it works without this; the server deals, and the style sheet shows the cards one by one.
import { ask } from "./swap.js";

const PREFIX_MS = 1500;
const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel("upcard") : null;
/** @type {Set<string>} the parts of the page that were unfolded */
const unfolded = new Set();
let goesElsewhere = -PREFIX_MS;

/** Begin to listen, on a page with a table. */
export function start() {
  if (!table()) return;
  document.addEventListener("keydown", press);
  document.addEventListener("click", click);
  document.addEventListener("toggle", (event) => {
    const part = /** @type {HTMLDetailsElement} */ (event.target);
    if (part.open) unfolded.add(part.id);
    else unfolded.delete(part.id);
  }, true);
  document.addEventListener("upcard:swapped", renew);
  channel?.addEventListener("message", ({ data }) => {
    const shown = table()?.dataset;
    if (data.table === shown?.table && data.version !== shown.version) ask(location.href, "table", false);
  });
}

/** @returns {HTMLElement | null} */
function table() {
  return document.getElementById("table");
}

/**
 * After a move: keep what was unfolded, put the focus on the answers, tell the other tabs.
 * @param {Event} event
 */
function renew(event) {
  const fresh = /** @type {HTMLElement} */ (/** @type {CustomEvent} */ (event).detail);
  if (fresh.id !== "table") return;
  for (const id of unfolded) {
    const part = /** @type {HTMLDetailsElement | null} */ (document.getElementById(id));
    if (part) part.open = true;
  }
  if (document.activeElement === document.body) document.getElementById("answers")?.focus({ preventScroll: true });
  fresh.querySelector(".is-active")?.scrollIntoView({ block: "nearest" });
  channel?.postMessage({ table: fresh.dataset.table, version: fresh.dataset.version });
}

/** @param {MouseEvent} event */
async function click(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  const step = /** @type {HTMLElement | null} */ (target.closest("[data-step]"));
  if (step) {
    const bet = /** @type {HTMLInputElement} */ (document.getElementById("bet"));
    if (step.dataset.step === "1") bet.stepUp();
    else bet.stepDown();
    return;
  }
  const link = /** @type {HTMLAnchorElement | null} */ (target.closest("a[data-dialog]"));
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("dialog"));
  const body = document.getElementById("dialog-body");
  body.textContent = "Working it out …";
  if (!dialog.open) dialog.showModal();
  const answer = await fetch(link.href, { headers: { Accept: "text/html", "Upcard-Parts": "why" } });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  body.replaceChildren(page.getElementById("why-body") ?? page.querySelector(".problem") ?? page.body);
}

/** @param {KeyboardEvent} event */
function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return;
  const target = /** @type {HTMLElement} */ (event.target);
  const key = event.key.toLowerCase();
  if (document.querySelector("dialog[open]")) return;
  if (target.matches("input, select, textarea") && !(key === "escape" && target.id === "count")) return;
  if (key === "enter" && target.matches("a, button, summary")) return;
  if (key !== "enter" && document.documentElement.dataset.keys === "off") return;
  if (performance.now() - goesElsewhere < PREFIX_MS) return;
  if (key === "g") goesElsewhere = performance.now();
  if ((key.length === 1 || key === "enter") && finishDeal()) return event.preventDefault();
  const field = /** @type {HTMLInputElement | null} */ (document.getElementById("bet") ?? document.getElementById("count"));
  if (field && (/^\d$/.test(key) || (field.id === "count" && /^[-+]$/.test(key)))) {
    field.focus(); // the key is typed there
    return field.select();
  }
  const found = /** @type {HTMLElement | null} */ (document.querySelector(`[data-key~="${CSS.escape(key)}"]`));
  if (!found) return undefined;
  event.preventDefault();
  if (found instanceof HTMLSelectElement) {
    found.selectedIndex = (found.selectedIndex + 1) % found.length;
    found.dispatchEvent(new Event("change", { bubbles: true }));
  } else {
    found.click();
  }
}

/** Show all cards at once; false if none was on its way. */
function finishDeal() {
  const deals = document.getAnimations().filter((one) => one.playState === "running" && /^deal|^turn/.test(/** @type {any} */ (one).animationName ?? ""));
  for (const one of document.getAnimations()) if (deals.length) one.finish();
  return deals.length > 0;
}
