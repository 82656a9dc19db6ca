// A visitor's own matrix: reads CSV, NPY or JSON, and converts its cells to places in a colour
// table as in engine/figure.

const MOST = 512; // rows, and columns
export const MOST_BYTES = 8 << 20; // of a file: 512 × 512 numbers with all their digits

const MISSING = 2,
  ZERO = 3,
  TINY = 4,
  BAD = 5; // classes of cells, as figure.Class

/** refusal returns an error with a message. */
const refusal = (says, args = {}) => Object.assign(new Error(says), { says, args });

/**
 * @typedef {object} Matrix
 * @property {number} rows
 * @property {number} cols
 * @property {Float32Array} values row by row
 * @property {Uint8Array} missing 1 where there is no number
 * @property {string[]|null} rowNames
 * @property {string[]|null} colNames
 */

/**
 * read returns the matrix in the bytes of a file. It throws an error with a message.
 * @param {ArrayBuffer} bytes
 * @returns {Matrix}
 */
export function read(bytes) {
  if (bytes.byteLength > MOST_BYTES) throw refusal('script.matrix.bytes', { most: MOST_BYTES >> 20 });
  const start = new TextDecoder('latin1').decode(bytes.slice(0, 6));
  if (start === '\x93NUMPY') return npy(new DataView(bytes));
  const text = new TextDecoder().decode(bytes).trim();
  if (!text) throw refusal('script.matrix.empty');
  return /^[[{]/.test(text) ? json(text) : csv(text);
}

/** begin creates a matrix of zeros. It checks the size before it allocates memory. */
function begin(rows, cols, rowNames = null, colNames = null) {
  if (!rows || !cols) throw refusal('script.matrix.empty');
  if (rows > MOST || cols > MOST) throw refusal('script.matrix.large', { rows, columns: cols });
  if ((rowNames && rowNames.length !== rows) || (colNames && colNames.length !== cols))
    throw refusal('script.matrix.labels', { rows, columns: cols });
  return {
    rows,
    cols,
    values: new Float32Array(rows * cols),
    missing: new Uint8Array(rows * cols),
    rowNames,
    colNames,
  };
}

/** even checks that all rows have the length of the first. */
function even(table) {
  const at = table.findIndex((row) => row.length !== table[0].length);
  if (at >= 0) throw refusal('script.matrix.ragged', { row: at + 1, has: table[at].length, wants: table[0].length });
}

const SPECIAL = /^([+-]?)(nan|inf|infinity)$/i;

/** numberOf reads a cell, or returns undefined if it is not a number. */
function numberOf(cell) {
  const special = SPECIAL.exec(cell);
  if (special) return special[2].toLowerCase() === 'nan' ? NaN : Number(`${special[1]}Infinity`);
  const value = Number(cell);
  return cell === '' ? null : Number.isNaN(value) ? undefined : value;
}

function csv(text) {
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() && !line.startsWith('#')),
    [first = ''] = lines;
  const by = ['\t', ';', ','].find((one) => first.includes(one)) ?? ' ';
  if (lines.length > MOST + 1)
    throw refusal('script.matrix.large', { rows: lines.length, columns: cells(first, by).length });
  const table = lines.map((line) => cells(line, by)),
    word = (cell) => numberOf(cell) === undefined;
  const beside = table.slice(1).some(([cell]) => word(cell)),
    above = table[0]?.slice(1).some(word) || (beside && table[0][0] === '');
  if (above && beside && table.length > 1 && table[0].length === table[1].length - 1) table[0].unshift(''); // no corner
  even(table);
  const colNames = above ? table.shift().slice(beside ? 1 : 0) : null,
    rowNames = beside ? table.map((row) => row.shift()) : null;
  return fill(begin(table.length, table[0]?.length ?? 0, rowNames, colNames), table, numberOf);
}

/** cells splits a line into cells. A quoted cell can contain the separator. */
function cells(line, by) {
  if (by === ' ') return line.trim().split(/\s+/);
  const list = [''];
  let quoted = false;
  for (const sign of line) {
    if (sign === '"') quoted = !quoted;
    else if (sign === by && !quoted) list.push('');
    else list[list.length - 1] += sign;
  }
  return list.map((cell) => cell.trim());
}

function json(text) {
  let data;
  try {
    data = JSON.parse(text);
  } catch {
    throw refusal('script.matrix.json');
  }
  const table = Array.isArray(data) ? data : data.values,
    names = (list) => (Array.isArray(list) ? list.map(String) : null);
  if (!Array.isArray(table) || !table.every(Array.isArray)) throw refusal('script.matrix.json');
  if (table.length) even(table);
  return fill(begin(table.length, table[0]?.length ?? 0, names(data.rows), names(data.cols)), table, (cell) =>
    cell === null || typeof cell === 'number' ? cell : undefined,
  );
}

/** fill reads all cells; null stands for a missing number. */
function fill(matrix, table, value) {
  const { rowNames, colNames } = matrix;
  table.forEach((row, r) =>
    row.forEach((cell, c) => {
      const v = value(cell),
        i = r * matrix.cols + c;
      if (v === undefined)
        throw refusal('script.matrix.cell', {
          text: String(cell).slice(0, 30),
          row: r + 1 + Number(Boolean(colNames)),
          column: c + 1 + Number(Boolean(rowNames)),
        });
      matrix.values[i] = v ?? NaN;
      matrix.missing[i] = Number(v === null);
    }),
  );
  return matrix;
}

const NUMBERS = {
  f4: [4, 'getFloat32'],
  f8: [8, 'getFloat64'],
  b1: [1, 'getUint8'],
  i1: [1, 'getInt8'],
  i2: [2, 'getInt16'],
  i4: [4, 'getInt32'],
  i8: [8, 'getBigInt64'],
  u1: [1, 'getUint8'],
  u2: [2, 'getUint16'],
  u4: [4, 'getUint32'],
  u8: [8, 'getBigUint64'],
};

/** npy reads NumPy's format: a magic word, a version, the length of a header, the header, and the numbers. */
function npy(view) {
  const latin = new TextDecoder('latin1'),
    long = view.byteLength > 12 && view.getUint8(6) > 1;
  if (view.byteLength < 12) throw refusal('script.matrix.short');
  const start = long ? 12 : 10,
    from = start + (long ? view.getUint32(8, true) : view.getUint16(8, true));
  const header = latin.decode(new Uint8Array(view.buffer).subarray(start, from)),
    number = /'descr': *'([<>|=])(\w\d)'/.exec(header);
  const shape = /'shape': *\((\d+), *(\d+),? *\)/.exec(header)?.slice(1).map(Number),
    [size, get] = NUMBERS[number?.[2]] ?? [];
  if (!size || !shape) throw refusal('script.matrix.npy');
  const matrix = begin(...shape),
    [rows, cols] = shape,
    column = /'fortran_order': *True/.test(header);
  if (from + rows * cols * size > view.byteLength) throw refusal('script.matrix.short');
  for (let r = 0, i = 0; r < rows; r++)
    for (let c = 0; c < cols; c++, i++) {
      matrix.values[i] = Number(view[get](from + (column ? c * rows + r : i) * size, number[1] !== '>'));
    }
  return matrix;
}

/**
 * quantise computes the class and the place in the colour table of each cell, and the scale.
 * @param {Matrix} matrix
 * @param {string} norm as in URLs
 */
export function quantise({ rows, cols, values, missing }, norm) {
  const classes = Uint8Array.from(values, (v, i) =>
    missing[i] ? MISSING : Number.isFinite(v) ? (v === 0 ? ZERO : 0) : BAD,
  );
  const counts = (i) => classes[i] === 0 || classes[i] === ZERO,
    tops = new Float64Array(rows),
    keys = new Uint16Array(rows);
  values.forEach((v, i) => {
    if (counts(i)) tops[Math.floor(i / cols)] = Math.max(tops[Math.floor(i / cols)], Math.abs(v));
    if (!missing[i]) keys[Math.floor(i / cols)]++;
  });
  const top = Math.max(...tops),
    signed = values.some((v, i) => v < 0 && counts(i));
  if (norm === 'shared' || (signed && (norm === 'log' || norm === 'uniform'))) norm = 'map';
  const place = (v, row) => {
    if (norm === 'log') return v > 0 ? Math.log(v * 1000 * cols) / Math.log(1000 * cols) : 0;
    if (norm === 'uniform') return v > 0 ? 0.5 + Math.log2(v * keys[row]) / 8 : 0;
    const share = v / ({ row: tops[row], map: top, absolute: 1 }[norm] || 1);
    return signed ? 0.5 + 0.5 * share : share;
  };
  const index = Uint8Array.from(values, (v, i) =>
    counts(i) ? Math.min(255, Math.max(0, Math.floor(place(v, Math.floor(i / cols)) * 256 + 1e-9))) : 0,
  );
  if (!signed)
    index.forEach((at, i) => {
      if (!at && classes[i] === 0) classes[i] = TINY;
    });
  return { index, classes, table: signed || norm === 'uniform' ? 'diverging' : 'palette', norm, signed, top };
}
