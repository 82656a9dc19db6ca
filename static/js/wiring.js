// The butterfly: which wires of a network of switches a token's content can pass. A switch can pass
// the content of either input slot to both outputs.

/** @typedef {{rows: number, cols: number, values: ArrayLike<number>}} Sheet the source of each slot, by stage */

/**
 * forward lists, for each stage, the slots that can contain content of a slot's token after the switches of
 * that stage.
 * @param {Sheet} sheet
 * @param {number} place
 * @returns {boolean[][]}
 */
export function forward({ rows, cols, values }, place) {
  let holds = Array.from({ length: cols }, (_, i) => i === place);
  const stages = [];
  for (let s = 0; s < rows; s++) {
    const now = holds;
    holds = now.map((h, i) => h || Boolean(now[i ^ 1]));
    stages.push(holds);
    const after = holds;
    holds = after.map((_, i) => after[values[s * cols + i]]);
  }
  return stages;
}

/**
 * backward lists, for each stage, the slots whose content after the switches of that stage can reach a slot at
 * the end.
 * @param {Sheet} sheet
 * @param {number} place
 * @returns {boolean[][]}
 */
export function backward({ rows, cols, values }, place) {
  let wanted = Array.from({ length: cols }, (_, i) => i === place);
  const stages = new Array(rows);
  for (let s = rows - 1; s >= 0; s--) {
    const before = new Array(cols).fill(false);
    for (let i = 0; i < cols; i++) if (wanted[i]) before[values[s * cols + i]] = true;
    stages[s] = before;
    wanted = before.map((w, i) => w || Boolean(before[i ^ 1]));
  }
  return stages;
}

/**
 * light marks the wires that carry content of the token in slot from, on its way to slot to if one is given. It
 * returns the number of marked slots per stage.
 * @param {SVGElement} svg
 * @param {Sheet} sheet
 * @param {number|null} from
 * @param {number|null} to
 * @returns {number[]}
 */
export function light(svg, sheet, from, to) {
  const { rows, cols, values } = sheet;
  const ahead = from === null ? null : forward(sheet, from), behind = to === null ? null : backward(sheet, to);
  svg.classList.toggle('lit', Boolean(ahead || behind));
  svg.classList.toggle('route', Boolean(ahead && behind));
  const counts = [];
  let entering = Array.from({ length: cols }, (_, i) => (from === null ? true : i === from));
  for (let s = 0; s < rows; s++) {
    const group = svg.children[s],
      wires = group.querySelector('.wires').children,
      bars = group.querySelector('.switches').children;
    const on = (i) => (!ahead || ahead[s][i]) && (!behind || behind[s][i]);
    const any = Boolean(ahead || behind);
    counts.push(Array.from({ length: cols }, (_, i) => any && on(i)).filter(Boolean).length);
    if (wires.length === cols) {
      for (let i = 0; i < cols; i++) wires[i].classList.toggle('on', any && on(values[s * cols + i]));
      for (let t = 0; t < bars.length; t++) {
        const a = 2 * t, b = a + 1;
        bars[t].classList.toggle('on', any && (on(a) || on(b)) && (entering[a] || entering[b]));
      }
    }
    const lit = Array.from({ length: cols }, (_, i) => on(i));
    entering = lit.map((_, i) => lit[values[s * cols + i]]);
  }
  return counts;
}
