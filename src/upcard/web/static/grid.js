// Arrow keys in charts: one tab stop a table, arrows from cell to cell, the cell's words aloud.

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/** Begin to listen, now and for tables that are swapped in. */
export function start() {
  prepare(document);
  document.addEventListener("upcard:swapped", (event) => prepare(/** @type {CustomEvent} */ (event).detail));
  document.addEventListener("keydown", move);
}

/** @param {Document | Element} root */
function prepare(root) {
  for (const table of root.querySelectorAll("table[data-grid]")) {
    table.setAttribute("role", "grid");
    const cells = table.querySelectorAll("td");
    for (const cell of cells) {
      cell.tabIndex = -1;
      cell.setAttribute("role", "gridcell");
      for (const link of cell.querySelectorAll("a")) link.tabIndex = -1; // Enter on the cell follows it
      if (cell.title) cell.setAttribute("aria-label", cell.title);
    }
    if (cells.length) cells[0].tabIndex = 0;
  }
}

/** @param {KeyboardEvent} event */
function move(event) {
  const cell = /** @type {HTMLElement} */ (event.target).closest?.("table[data-grid] td");
  if (event.key === "Enter" && event.target === cell) cell?.querySelector("a")?.click();
  const step = STEPS[/** @type {keyof typeof STEPS} */ (event.key)];
  if (!cell || !step || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  const rows = [...cell.closest("tbody").rows];
  const row = rows[rows.indexOf(cell.parentElement) + step[0]];
  const next = row?.querySelectorAll("td")[[...cell.parentElement.querySelectorAll("td")].indexOf(cell) + step[1]];
  if (!next) return;
  cell.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}
