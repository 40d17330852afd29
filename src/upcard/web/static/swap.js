// Swaps parts of a page for those of the server's answer. The page works without it.
//
// A form or link with data-part="name edge; chart" asks for those parts: groups between semicolons
// are requests of their own, so that a slow part does not hold up the others. The newest request of
// a form or link wins. An element with data-later="chart" is asked for once the page is there.
// A form with data-live is sent at every change.

const PAGE = crypto.randomUUID ? crypto.randomUUID() : String(Math.random()).slice(2);
const BUSY_MS = 150;
const PAUSES_MS = [1000, 2000, 4000, 8000];
/** @type {Map<string, AbortController>} the running request of each group of parts */
const running = new Map();
let isSending = false;

/** Begin to listen. */
export function start() {
  document.addEventListener("change", (event) => {
    const form = event.target.form;
    if (event.target.matches?.("[data-submits]")) form.requestSubmit();
    else if (form?.matches("[data-live]")) ask(addressOf(form), form.dataset.part, true);
  });
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("form[data-part]") || event.submitter?.hasAttribute("formaction")) return;
    event.preventDefault();
    if (form.method === "get") ask(addressOf(form, event.submitter), form.dataset.part, true);
    else send(form, event.submitter);
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[data-part]");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    ask(link.href, link.dataset.part, true);
  });
  addEventListener("popstate", () => location.reload());
  askLater();
}

/**
 * Send a form that changes something, and swap what it changed; one at a time, so that a double
 * click sends one.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} submitter
 */
function send(form, submitter) {
  if (isSending) return;
  isSending = true;
  for (const request of running.values()) request.abort();
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form, submitter)));
  fetchParts(form.action, form.dataset.part, false, 0, body).finally(() => { isSending = false; });
}

/**
 * The address that a form stands for.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} [submitter]
 */
function addressOf(form, submitter = null) {
  const url = new URL(form.action, location.href);
  url.search = new URLSearchParams(/** @type {any} */ (new FormData(form, submitter))).toString();
  return url.href;
}

/** Ask for the parts that the page came without. */
function askLater() {
  const parts = [...document.querySelectorAll("[data-later]")].map((one) => one.dataset.later);
  for (const part of new Set(parts)) if (!isAsked(part)) ask(location.href, part, false);
}

/** @param {string} wanted parts with blanks between them */
function isAsked(wanted) {
  return [...running.keys()].some((parts) => wanted.split(" ").every((part) => parts.split(" ").includes(part)));
}

/**
 * Ask for groups of parts of an address.
 * @param {string} href
 * @param {string} groups
 * @param {boolean} isMove whether the address becomes that of the page
 */
export function ask(href, groups, isMove) {
  if (isMove) for (const request of running.values()) request.abort();
  for (const parts of groups.split(";")) fetchParts(href, parts.trim(), isMove, 0);
}

/**
 * @param {string} href
 * @param {string} parts
 * @param {boolean} isMove
 * @param {number} tries
 * @param {URLSearchParams} [body] of a form that changes something
 */
async function fetchParts(href, parts, isMove, tries, body) {
  running.get(parts)?.abort();
  const request = new AbortController();
  running.set(parts, request);
  const busy = setTimeout(() => setBusy(parts, true), BUSY_MS);
  try {
    const answer = await fetch(href, {
      method: body ? "POST" : "GET",
      body,
      headers: { Accept: "text/html", "Upcard-Parts": parts, "Upcard-Page": PAGE },
      signal: request.signal,
    });
    if (answer.headers.has("Retry-After")) throw new Error("busy");
    const html = await answer.text();
    if (answer.status === 403) throw new Refused(html);
    if (request.signal.aborted) return;
    if (body && answer.redirected) return location.assign(answer.url);
    const isPart = answer.ok || answer.status === 422 || (body && answer.status === 409);
    if (!isPart) return location.assign(body ? location.href : href); // shows what is wrong
    showAway(false);
    if (isMove && answer.url !== location.href) history.pushState(null, "", answer.url);
    swap(html);
    running.delete(parts);
    askLater();
  } catch (error) {
    if (request.signal.aborted) return;
    showAway(true, error instanceof Refused ? error.message : undefined);
    const pause = PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)];
    setTimeout(() => { if (!request.signal.aborted) fetchParts(href, parts, isMove, tries + 1, body); }, pause);
  } finally {
    clearTimeout(busy);
    if (running.get(parts) === request && !document.querySelector(".away")) running.delete(parts);
    setBusy(parts, false);
  }
}

/**
 * Ask for parts of an address, and wait until they are there.
 * @param {string} href
 * @param {string} parts
 */
export async function load(href, parts) {
  await fetchParts(href, parts, false, 0);
}

/**
 * Replace elements by those of the same id; keep the focus and what is selected.
 * @param {string} html
 */
function swap(html) {
  const held = /** @type {HTMLInputElement | null} */ (document.activeElement);
  const id = held?.id;
  const place = held?.matches?.("input[type=text], input:not([type])") ? held.selectionStart : null;
  const fresh = new DOMParser().parseFromString(html, "text/html");
  for (const element of [...fresh.body.querySelectorAll(":scope > [id]")]) {
    const old = document.getElementById(element.id);
    if (!old) continue;
    if (element.id === "say") {
      document.title = element.dataset.title;
      if (element.textContent.trim() && old.textContent !== element.textContent) old.textContent = element.textContent;
      continue;
    }
    element.classList.add("is-fresh");
    old.replaceWith(document.adoptNode(element));
    document.dispatchEvent(new CustomEvent("upcard:swapped", { detail: element }));
  }
  if (!id || document.activeElement?.id === id) return;
  const again = /** @type {HTMLInputElement | null} */ (document.getElementById(id));
  again?.focus({ preventScroll: true });
  if (place !== null) again?.setSelectionRange?.(place, place);
}

/**
 * @param {string} parts
 * @param {boolean} isBusy
 */
function setBusy(parts, isBusy) {
  for (const part of parts.split(" ")) {
    const element = document.getElementById(part);
    if (isBusy) element?.setAttribute("aria-busy", "true");
    else element?.removeAttribute("aria-busy");
  }
}

/** A server that was started again does not know this browser until its link is opened. */
class Refused extends Error {}

/**
 * @param {boolean} isAway
 * @param {string} [words]
 */
function showAway(isAway, words = "upcard does not answer. Trying again ...") {
  const banner = document.querySelector(".away");
  if (!isAway) return banner?.remove();
  const element = banner ?? document.createElement("p");
  element.className = "away";
  element.setAttribute("role", "alert");
  if (element.textContent !== words) element.textContent = words;
  return banner ?? document.body.append(element);
}
