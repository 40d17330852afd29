// A running simulation: the server's events while the tab can be seen, its parts now and then.
import { load } from "./swap.js";

const PARTS_MS = 2500;
/** @type {EventSource | null} */
let source = null;
let since = 0;

/** Begin to listen, if the page has a run that is being played. */
function start() {
  document.addEventListener("visibilitychange", follow);
  document.addEventListener("upcard:swapped", follow);
  addEventListener("pagehide", stop);
  follow();
}

function follow() {
  const run = /** @type {HTMLElement | null} */ (document.querySelector("[data-events]"));
  if (!run || document.hidden) return stop();
  if (source) return undefined;
  source = new EventSource(/** @type {string} */ (run.dataset.events));
  source.addEventListener("progress", (event) => show(JSON.parse(event.data)));
  for (const end of ["done", "stopped", "failed"]) source.addEventListener(end, finish);
  return undefined;
}

function stop() {
  source?.close();
  source = null;
}

function finish() {
  stop();
  location.reload();
}

/** @param {{share: number, words: Record<string, string>}} progress */
function show(progress) {
  const run = document.querySelector("[data-events]");
  if (!run) return;
  for (const element of run.querySelectorAll("[data-shows]")) {
    const words = progress.words[/** @type {HTMLElement} */ (element).dataset.shows ?? ""] ?? "";
    if (element.textContent !== words) element.textContent = words;
  }
  const bar = run.querySelector("progress");
  if (bar) bar.value = progress.share;
  else load(location.href, "run");
  if (performance.now() - since < PARTS_MS) return;
  since = performance.now();
  load(location.href, "figures plots");
}

start();
