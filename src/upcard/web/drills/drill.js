// Drills: keys, focus after each answer, cards that turn by a timer, digits to tap.
// All of it works without this: every key and every turn is a button.

const PREFIX_MS = 1500;
const SHORTEST_MS = 200;
const LONGEST_MS = 5000;
const STEP_MS = 100;
const USUAL_MS = 1000;
const TICK_MS = 250;
const LAST_SECONDS = 2;
const MOST_STEPS = 12;  // an octave

let goesElsewhere = -PREFIX_MS;
let isTimed = false;
let pauseMs = USUAL_MS;
let timer = 0;
let clock = 0;
let secondsLeft = 0;
let streak = 0;
/** @type {AudioContext | null} */
let audio = null;

/** Begin to listen, on a page with drills. */
export function start() {
  if (!drill() && !document.getElementById("drills")) return;
  document.addEventListener("keydown", press);
  document.addEventListener("click", click);
  document.addEventListener("upcard:swapped", renew);
  const speed = Number(drill()?.dataset.speed);
  isTimed = speed > 0;
  if (isTimed) pauseMs = speed * 1000;
  prepare();
  focusNext();
}

/** Put the focus where the next answer or key goes. */
function focusNext() {
  const next = /** @type {HTMLElement | null} */ (drill()?.querySelector("[data-focus]"));
  next?.focus({ preventScroll: true });
}

/** @returns {HTMLElement | null} */
function drill() {
  return document.getElementById("drill");
}

/** @param {Event} event */
function renew(event) {
  if (/** @type {CustomEvent} */ (event).detail.id !== "drill") return;
  prepare();
  sound();
  focusNext();
  scrollTo({ top: 0 });
}

/** Show what only a script can do, and start the timer of the cards. */
function prepare() {
  clearTimeout(timer);
  clearInterval(clock);
  const left = Number(drill()?.dataset.secondsLeft ?? "NaN");
  if (left >= 0) {
    const end = performance.now() + left * 1000 + TICK_MS;  // so that it is late there too
    clock = setInterval(() => tick(end), TICK_MS);
  }
  const pace = document.getElementById("pace");
  if (pace) {
    pace.hidden = false;
    pace.querySelector("output").textContent = isTimed ? `${pauseMs / 1000} s a group` : "by the button";
    document.getElementById("timer").setAttribute("aria-pressed", String(isTimed));
    if (isTimed && Number(pace.dataset.place) > 0) timer = setTimeout(turn, pauseMs);
  }
  const pad = document.getElementById("digits");
  if (pad && matchMedia("(pointer: coarse), (max-width: 40rem)").matches) {
    pad.hidden = false;
    document.getElementById("text").inputMode = "none";
  }
}

/** Show the seconds left; at the end of them send no answer, which is late.
 * @param {number} end */
function tick(end) {
  const left = end - performance.now();
  const shown = document.getElementById("clock");
  const seconds = Math.max(Math.ceil((left - TICK_MS) / 1000), 0);
  if (shown) shown.textContent = `${seconds} s`;
  if (seconds !== secondsLeft && seconds > 0 && seconds <= LAST_SECONDS) tone(880, 0.06);
  secondsLeft = seconds;
  if (left > 0) return;
  tone(165, 0.35);
  clearInterval(clock);
  const form = /** @type {HTMLFormElement | null} */ (drill()?.querySelector("form.choices, form.number"));
  const field = /** @type {HTMLInputElement | null} */ (document.getElementById("text"));
  if (field) field.required = false;
  form?.requestSubmit();
}

/** With sound: a tone for the last answer, higher with each right one; the dealer's words aloud. */
function sound() {
  if (drill()?.dataset.sounds === undefined) return;
  const verdict = drill().querySelector(".verdict");
  if (verdict) {
    streak = verdict.matches(".is-right") ? Math.min(streak + 1, MOST_STEPS) : 0;
    if (streak) tone(440 * 2 ** (streak / MOST_STEPS), 0.15);
    else if (!verdict.matches(".is-late")) tone(165, 0.35);  // that was heard at its end
  }
  if (drill().matches("[data-speaks].is-asking") && window.speechSynthesis) {
    const text = drill().querySelector(".drill-text") ?? document.getElementById("ask");
    speechSynthesis.cancel();
    speechSynthesis.speak(new SpeechSynthesisUtterance(text.textContent));
  }
}

/** @param {number} hertz @param {number} seconds */
function tone(hertz, seconds) {
  if (drill()?.dataset.sounds === undefined) return;
  audio ??= new AudioContext();
  const end = audio.currentTime + seconds;
  const volume = new GainNode(audio, { gain: 0.2 });
  volume.gain.exponentialRampToValueAtTime(0.001, end);
  const pitch = new OscillatorNode(audio, { frequency: hertz });
  pitch.connect(volume).connect(audio.destination);
  pitch.start();
  pitch.stop(end);
}

function turn() {
  document.getElementById("turn")?.click();
}

/** @param {MouseEvent} event */
function click(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.closest("#timer")) {
    isTimed = !isTimed;
    prepare();
    return;
  }
  const step = /** @type {HTMLElement | null} */ (target.closest("[data-pace]"));
  if (step) {
    isTimed = true;
    pauseMs = Math.min(Math.max(pauseMs + Number(step.dataset.pace) * STEP_MS, SHORTEST_MS), LONGEST_MS);
    prepare();
    return;
  }
  const digit = /** @type {HTMLElement | null} */ (target.closest("[data-digit]"));
  const field = /** @type {HTMLInputElement | null} */ (document.getElementById("text"));
  if (!digit || !field) return;
  const sign = digit.dataset.digit;
  if (sign === "back") field.value = field.value.slice(0, -1);
  else if (sign === "-") field.value = field.value.startsWith("-") ? field.value.slice(1) : `-${field.value}`;
  else if (field.value.length < 8) field.value += sign;
}

/** @param {KeyboardEvent} event */
function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.repeat) return;
  if (document.documentElement.dataset.keys === "off") return;
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.matches("input, select, textarea") || document.querySelector("dialog[open]")) return;
  const isPrefixed = performance.now() - goesElsewhere < PREFIX_MS;
  if (isPrefixed) return;
  const key = event.key.toLowerCase();
  if (key === "g" || key === "?") {
    if (key === "g") goesElsewhere = performance.now();
    return;
  }
  if ((key === "enter" || key === " ") && target.matches("a, button, summary")) return;
  const name = key === " " ? "space" : key;
  const found = /** @type {HTMLElement | null} */ (document.querySelector(`[data-key~="${CSS.escape(name)}"]`))
    ?? (key.length === 1 || key === "enter" ? document.querySelector("[data-any-key]") : null);
  if (!found) return;
  event.preventDefault();
  /** @type {HTMLElement} */ (found).click();
}
