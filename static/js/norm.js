// From a value to an entry of the colour table: the rule of engine/figure
// (package comment, "From value to colour"), number for number.

/** Classes of cells, as figure.Class. */
export const VALUE = 0, FORBIDDEN = 1, MISSING = 2, ZERO = 3, TINY = 4, BAD = 5;

const OCTAVES = 4;
const STEPS = 8;
const GUARD = 1e-9;

/**
 * @typedef {object} Scale
 * @property {string} norm as computed: log and uniform become map when signed
 * @property {boolean} signed
 * @property {boolean} category
 * @property {number} max
 * @property {Float64Array} rowMax
 * @property {Int32Array} rowKeys
 * @property {number} columns
 */

/**
 * @typedef {object} Grid
 * @property {number} rows
 * @property {number} cols
 * @property {Uint8Array} index entry of the colour table per cell
 * @property {Uint8Array} classes class per cell
 * @property {Scale} scale
 */

/**
 * quantise normalises a map.
 * @param {{values: ArrayLike<number>, rows: number, cols: number, kind: string, reach?: string|null,
 *   classes?: string[]|null, by?: {values: ArrayLike<number>, cols: number}|null}} map classes are names of
 *   classes; by are the classes of tokens, where the values are tokens
 * @param {string} norm
 * @param {number} [sharedMax]
 * @returns {Grid}
 */
export function quantise(map, norm, sharedMax = 0) {
  const { rows, cols, values } = map;
  const classes = classify(map);
  const scale = measure(map, classes, norm, sharedMax);
  const index = new Uint8Array(rows * cols);
  for (let r = 0, i = 0; r < rows; r++) {
    for (let c = 0; c < cols; c++, i++) {
      if (classes[i] !== VALUE && classes[i] !== ZERO) continue;
      index[i] = indexOf(scale, map.by ? map.by.values[r * map.by.cols + values[i]] : values[i], r);
      if (classes[i] === VALUE && index[i] === 0 && !scale.signed && !scale.category) classes[i] = TINY;
    }
  }
  return { rows, cols, index, classes, scale };
}

/** diverging says whether the middle of the table is a neutral value. */
export function diverging(scale) {
  return scale.signed || scale.norm === 'uniform';
}

function classify({ values, rows, cols, kind, reach, classes: names, by }) {
  const classes = new Uint8Array(rows * cols);
  const category = kind === 'category';
  for (let i = 0; i < classes.length; i++) {
    const v = values[i];
    if (reach && reach[i] === '0') classes[i] = FORBIDDEN;
    else if (!Number.isFinite(v)) classes[i] = BAD;
    else if (category) classes[i] = v < 0 || (by && v >= by.cols) ? MISSING : names && names[v] === '' ? FORBIDDEN : VALUE;
    else if (v === 0) classes[i] = ZERO;
  }
  return classes;
}

function measure({ values, rows, cols, kind }, classes, norm, sharedMax) {
  const scale = {
    norm, category: kind === 'category', signed: kind === 'activation', max: 0,
    rowMax: new Float64Array(rows), rowKeys: new Int32Array(rows), columns: cols,
  };
  for (let i = 0; i < classes.length; i++) {
    if (classes[i] === FORBIDDEN || classes[i] === MISSING) continue;
    const row = Math.floor(i / cols);
    scale.rowKeys[row]++;
    if (classes[i] === BAD) continue;
    scale.rowMax[row] = Math.max(scale.rowMax[row], Math.abs(values[i]));
    if (values[i] < 0) scale.signed = true;
  }
  for (const m of scale.rowMax) scale.max = Math.max(scale.max, m);
  if (norm === 'shared') scale.max = sharedMax;
  if (scale.category) scale.signed = false;
  if (scale.category || (scale.signed && (norm === 'log' || norm === 'uniform'))) scale.norm = 'map';
  return scale;
}

function top(scale, row) {
  switch (scale.norm) {
    case 'absolute': return 1;
    case 'row': return scale.rowMax[row];
    default: return scale.max;
  }
}

/** place is where a finite value stands on the scale, 0…1 within its ends. */
export function place(scale, value, row) {
  if (scale.norm === 'log') {
    if (value <= 0) return 0;
    const floor = 1000 * scale.columns;
    return Math.log(value * floor) / Math.log(floor);
  }
  if (scale.norm === 'uniform') {
    if (value <= 0) return 0;
    return 0.5 + Math.log2(value * scale.rowKeys[row]) / (2 * OCTAVES);
  }
  let v = value, end = top(scale, row);
  if (end === 0) { v = 0; end = 1; }
  return scale.signed ? 0.5 + 0.5 * (v / end) : v / end;
}

function indexOf(scale, value, row) {
  if (scale.category) return (((Math.trunc(value) % STEPS) + STEPS) % STEPS) * (256 / STEPS) + 256 / STEPS / 2;
  const scaled = place(scale, value, row) * 256 + GUARD;
  if (!(scaled >= 0)) return 0;
  return scaled >= 255 ? 255 : Math.floor(scaled);
}
