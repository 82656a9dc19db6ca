// Cells to pixels. A cell is a solid block of whole device pixels in one colour of the table. Marks
// for empty cells are on top.

import { TABLES, COLOURS } from './palettes.js';

/** @typedef {import('./data.js').Plane} Plane */
/** @typedef {{palette: string, theme: 'light'|'dark', ratio: number}} Look */

/** Classes of cells, as figure.Class; plain values are 0 and 4. */
export const FORBIDDEN = 1;
export const MISSING = 2;
export const ZERO = 3;
export const BAD = 5;
export const ASIDE = 6;
export const CUT = 7;
const EMPTY = [FORBIDDEN, MISSING, ASIDE, CUT]; // cells that show the paper
const MARKED = [...EMPTY, ZERO, BAD];

const HATCH = 8, DOT_FROM = 12, CROSS_FROM = 5;
const parsed = new Map();

/** tableOf returns the colour table for a plane, as 256 packed RGBA pixels. */
function tableOf(plane, { palette, theme }) {
  const name = plane.table === 'palette' ? palette : plane.table;
  const key = `${name}/${theme}`;
  if (!parsed.has(key)) parsed.set(key, parse((TABLES[name] || TABLES.cividis)[theme]));
  return parsed.get(key);
}

function parse(digits) {
  const bytes = new Uint8ClampedArray(1024);
  for (let i = 0; i < 256; i++) {
    for (let k = 0; k < 3; k++) bytes[4 * i + k] = parseInt(digits.substr(6 * i + 2 * k, 2), 16);
    bytes[4 * i + 3] = 255;
  }
  return bytes;
}

/**
 * edge returns the first pixel of cell i if n cells share size pixels.
 * @returns {number}
 */
export function edge(i, n, size) {
  return Math.max(0, Math.ceil((i * size) / n - 0.5));
}

/** colourOf returns the colour of a cell as red, green and blue, or null if it shows the paper. */
export function colourOf(plane, i, look) {
  const k = plane.classes[i];
  if (EMPTY.includes(k) || k === BAD) return null;
  const table = tableOf(plane, look), at = 4 * plane.index[i];
  return [table[at], table[at + 1], table[at + 2]];
}

/** inkOn returns a text colour that is legible on a cell. */
export function inkOn(plane, i, look) {
  if (plane.classes[i] === BAD) return COLOURS[look.theme].cross;
  const table = tableOf(plane, look), at = 4 * plane.index[i];
  const light = 0.3 * table[at] + 0.59 * table[at + 1] + 0.11 * table[at + 2] > 130;
  return COLOURS[light ? 'dark' : 'light'].paper;
}

/**
 * paint draws a plane over the whole canvas, whose size in device pixels is already set.
 * @param {HTMLCanvasElement} canvas
 * @param {Plane} full
 * @param {Look} look
 * @returns {boolean} whether cells were pooled: there are more cells than pixels
 */
export function paint(canvas, full, look) {
  const grid = pool(full, canvas.width, canvas.height);
  // the CPU writes the pixels; a GPU would have to copy them
  const ctx = canvas.getContext('2d', { willReadFrequently: true });
  ctx.putImageData(pixels(grid, look, canvas.width, canvas.height), 0, 0);
  marks(ctx, grid, look);
  return grid !== full;
}

/** pixels fills an image of the canvas's size, so that the browser does not scale it. */
function pixels(grid, look, width, height) {
  const table = new Uint32Array(tableOf(grid, look).buffer);
  const [bad, paper] = [COLOURS[look.theme].bad, COLOURS[look.theme].paper].map(packed);
  const image = imageOf(width, height);
  const out = new Uint32Array(image.data.buffer, 0, width * height), { rows, cols, classes, index } = grid;
  const fixed = new Uint32Array(CUT + 1); // colours of classes; 0: from the table
  for (const k of EMPTY) fixed[k] = paper;
  fixed[BAD] = bad;
  const x = Array.from({ length: cols + 1 }, (_, c) => edge(c, cols, width));
  for (let r = 0, i = 0; r < rows; r++) {
    const y = edge(r, rows, height), below = edge(r + 1, rows, height);
    for (let c = 0; c < cols; c++, i++) {
      const colour = fixed[classes[i]] || table[index[i]];
      for (let at = y * width + x[c], end = y * width + x[c + 1]; at < end; at++) out[at] = colour;
    }
    for (let line = y + 1; line < below; line++) out.copyWithin(line * width, y * width, (y + 1) * width);
  }
  return image;
}

let memory = new ArrayBuffer(0); // of the largest image until now

/** imageOf returns an image whose pixels are all overwritten. It reuses its memory, which saves garbage collection. */
function imageOf(width, height) {
  const bytes = 4 * width * height;
  if (memory.byteLength < bytes) memory = new ArrayBuffer(bytes);
  return new ImageData(new Uint8ClampedArray(memory, 0, bytes), width, height);
}

/** packed returns a colour in the byte order of an image. */
function packed(hex) {
  return new Uint32Array(
    new Uint8ClampedArray([1, 3, 5].map((k) => parseInt(hex.substr(k, 2), 16)).concat(255)).buffer,
  )[0];
}

/** pool keeps, of the cells that share a pixel, the one with the most distant value from 0. */
function pool(grid, width, height) {
  const rows = Math.min(grid.rows, height), cols = Math.min(grid.cols, width);
  if (rows === grid.rows && cols === grid.cols) return grid;
  const middle = grid.table === 'diverging' ? 128 : 0;
  const index = new Uint8Array(rows * cols), classes = new Uint8Array(rows * cols).fill(FORBIDDEN);
  const best = new Int16Array(rows * cols).fill(-1);
  for (let r = 0; r < grid.rows; r++) {
    const y = Math.floor((r * rows) / grid.rows);
    for (let c = 0; c < grid.cols; c++) {
      const i = r * grid.cols + c, o = y * cols + Math.floor((c * cols) / grid.cols);
      const k = grid.classes[i];
      if (EMPTY.includes(k)) {
        if ((k === ASIDE || k === CUT) && best[o] < 0) classes[o] = k;
        continue;
      }
      const weight = k === BAD ? 999 : Math.abs(grid.index[i] - middle);
      if (weight <= best[o]) continue;
      best[o] = weight;
      index[o] = grid.index[i];
      classes[o] = k;
    }
  }
  return { rows, cols, index, classes, table: grid.table };
}

function marks(ctx, grid, look) {
  const { width, height } = ctx.canvas;
  const cell = Math.min(width / grid.cols, height / grid.rows);
  if (!MARKED.some((k) => grid.classes.includes(k))) return;
  const hatched = new Map(EMPTY.map((k) => [k, new Path2D()]));
  const any = new Set();
  for (let i = 0; i < grid.classes.length; i++) {
    const k = grid.classes[i];
    if (!MARKED.includes(k)) continue;
    const r = Math.floor(i / grid.cols), c = i % grid.cols;
    const x = edge(c, grid.cols, width), y = edge(r, grid.rows, height);
    const w = edge(c + 1, grid.cols, width) - x, h = edge(r + 1, grid.rows, height) - y;
    if (EMPTY.includes(k)) { hatched.get(k).rect(x, y, w, h); any.add(k); }
    else if (k === ZERO && cell >= DOT_FROM * look.ratio) dot(ctx, x, y, w, h, tableOf(grid, look), grid.index[i]);
    else if (k === BAD && cell >= CROSS_FROM * look.ratio) cross(ctx, x, y, w, h, look);
  }
  for (const k of any) hatch(ctx, hatched.get(k), look, k);
}

/** hatch draws the lines of a class in one lattice over the whole map: at 45°, or vertical for ablated
 * cells. */
function hatch(ctx, path, look, k) {
  const { width, height } = ctx.canvas, step = HATCH * look.ratio;
  ctx.save();
  ctx.clip(path);
  ctx.strokeStyle = COLOURS[look.theme].hatch;
  ctx.lineWidth = look.ratio;
  ctx.beginPath();
  for (let d = 0; k === CUT && d < width; d += step / 2) {
    ctx.moveTo(d, 0);
    ctx.lineTo(d, height);
  }
  for (let d = 0; k !== CUT && d < width + height; d += step) {
    if (k !== ASIDE) {
      ctx.moveTo(d, 0);
      ctx.lineTo(d - height, height);
    }
    if (k === FORBIDDEN) continue;
    ctx.moveTo(width - d, 0);
    ctx.lineTo(width - d + height, height);
  }
  ctx.stroke();
  ctx.restore();
}

function dot(ctx, x, y, w, h, table, index) {
  const light = (i) => 0.3 * table[4 * i] + 0.6 * table[4 * i + 1] + 0.1 * table[4 * i + 2];
  const i = Math.abs(light(0) - light(index)) > Math.abs(light(255) - light(index)) ? 0 : 255;
  const size = Math.max(2, Math.round(w / 8));
  ctx.fillStyle = `rgb(${table[4 * i]} ${table[4 * i + 1]} ${table[4 * i + 2]})`;
  ctx.fillRect(x + Math.round((w - size) / 2), y + Math.round((h - size) / 2), size, size);
}

function cross(ctx, x, y, w, h, look) {
  ctx.strokeStyle = COLOURS[look.theme].cross;
  ctx.lineWidth = look.ratio;
  ctx.beginPath();
  ctx.moveTo(x + w / 5, y + h / 5);
  ctx.lineTo(x + w - w / 5, y + h - h / 5);
  ctx.moveTo(x + w - w / 5, y + h / 5);
  ctx.lineTo(x + w / 5, y + h - h / 5);
  ctx.stroke();
}
