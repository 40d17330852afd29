// Forms that are answered while they are changed: one request at a time, then that of the newest
// state. A form with data-follows="figures plots" asks for those parts of its own address, one with
// data-checks="/lab" for the part "check" of that address; the parts of data-rests="paths"
// are asked for once nothing changes. A range with data-for="bank" moves the field of that id
// through the values of data-values, and follows it.
import { load } from "./swap.js";

const LONG = ["chart"];
/** @type {HTMLFormElement | null} the form whose newest state is not asked for yet */
let waiting = null;
let isAsking = false;
const REST_MS = 300;
let rest = 0;

/** Begin to listen. */
function start() {
  document.addEventListener("input", (event) => {
    const field = /** @type {HTMLInputElement} */ (event.target);
    const form = field.form;
    if (!form?.matches("[data-follows], [data-checks]")) return;
    if (field.dataset.for) moveField(field);
    else moveRange(form, field);
    waiting = form;
    if (!isAsking) askOn();
  });
}

async function askOn() {
  isAsking = true;
  while (waiting) {
    const form = waiting;
    waiting = null;
    const fields = new FormData(form);
    for (const name of LONG) if (form.dataset.checks) fields.delete(name);
    const url = new URL(form.dataset.checks ?? form.action, location.href);
    url.search = new URLSearchParams([...fields].filter(([, text]) => text || form.dataset.checks)).toString();
    await load(url.href, form.dataset.follows ?? "check");
    if (form.dataset.follows) history.replaceState(null, "", url);
    clearTimeout(rest);
    if (form.dataset.rests) rest = setTimeout(load, REST_MS, url.href, form.dataset.rests);
  }
  isAsking = false;
}

/** @param {HTMLInputElement} range */
function moveField(range) {
  const field = /** @type {HTMLInputElement} */ (document.getElementById(range.dataset.for));
  field.value = range.dataset.values.split(" ")[Number(range.value)] ?? "";
  range.setAttribute("aria-valuetext", field.value || "none");
}

/**
 * @param {HTMLFormElement} form
 * @param {HTMLInputElement} field
 */
function moveRange(form, field) {
  const range = /** @type {HTMLInputElement | null} */ (form.querySelector(`[data-for="${field.id}"]`));
  const place = range?.dataset.values.split(" ").indexOf(field.value) ?? -1;
  if (range && place >= 0) range.value = String(place);
}

start();
