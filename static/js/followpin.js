// A pin follows its word when the text changes.

/** @typedef {{row: number, col: number|null, last?: number}} Pin */

/**
 * moved returns the pin in another text, or null if its row no longer exists. The texts before and after the
 * change are equal. A word in between moves to the nearest equal word.
 * @param {Pin} pin
 * @param {string[]} before labels of the tokens
 * @param {string[]} after
 * @returns {Pin|null}
 */
export function moved({ row, col, last }, before, after) {
  const to = placesOf(before, after), at = to(row), end = last === undefined ? null : to(last);
  if (at === null) return null;
  if (end > at) return { row: at, col: null, last: end };
  return { row: at, col: col === null ? null : to(col) };
}

/** placesOf returns a function from positions of one text to those of another. */
function placesOf(before, after) {
  const most = Math.min(before.length, after.length), by = after.length - before.length;
  let head = 0, tail = 0;
  while (head < most && before[head] === after[head]) head++;
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  return (i) => {
    if (i < head) return i;
    if (i >= before.length - tail) return i + by;
    const like = after.map((_, j) => j).filter((j) => j >= head && j < after.length - tail && after[j] === before[i]);
    return like.sort((a, b) => Math.abs(a - i) - Math.abs(b - i))[0] ?? null;
  };
}
