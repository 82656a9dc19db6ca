// The pin, as in URLs.

/** @typedef {{row: number|null, col: number|null, last?: number}} Cell a cell, a row, or the rows to the last one */

/** pinOf reads the pin of a query. */
export function pinOf(search) {
  const found = /^([1-9]\d*)(?:\.([1-9]\d*)|-([1-9]\d*))?$/.exec(new URLSearchParams(search).get('pin') || '');
  if (!found) return null;
  const [row, col, last] = found.slice(1).map((n) => (n ? n - 1 : null));
  return last === null ? { row, col } : { row, col, last };
}

/** named writes a pin. */
export function named({ row, col, last }) {
  if (last !== undefined) return `${row + 1}-${last + 1}`;
  return [row, col]
    .filter((i) => i !== null)
    .map((i) => i + 1)
    .join('.');
}
