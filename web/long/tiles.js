// Attention maps of long texts: tiles of weights are fetched when they come into view, coloured once, and
// drawn as images.

import { TABLES } from '../js/palettes.js';

export const SIDE = 256; // cells of a tile along each side
const KEPT = 192; // tiles in memory
const AT_ONCE = 4; // requests in flight
const DECADES = 1000; // weights down to 1/(1000 · tokens) have a colour, as in engine/figure

/** coloursOf returns the 256 colours of a table as packed pixels. */
function coloursOf(palette, theme) {
  const digits = (TABLES[palette] ?? TABLES.cividis)[theme], out = new Uint8ClampedArray(1024);
  for (let i = 0; i < 256; i++)
    for (let k = 0; k < 4; k++) out[4 * i + k] = k === 3 ? 255 : parseInt(digits.substr(6 * i + 2 * k, 2), 16);
  return new Uint32Array(out.buffer);
}

/** low returns the smallest weight with a colour of its own, for a text of n tokens. */
export const low = (n) => 1 / (DECADES * n);

/**
 * @typedef {object} Tile
 * @property {Float32Array} values row by row
 * @property {number} rows
 * @property {number} cols
 * @property {HTMLCanvasElement} image one pixel per cell
 */

/** Tiles holds the tiles of one head. */
export class Tiles {
  /**
   * @param {{n: number, levels: number, url: (level: number, row: number, col: number) => string,
   *   changed: () => void, failed: (error: Error) => void}} of
   * @param {{palette: string, theme: 'light'|'dark', most: number}} look most: the end of a linear scale; 0: weights,
   *   whose scale is logarithmic
   */
  constructor(of, look) {
    Object.assign(this, of);
    this.colours = coloursOf(look.palette, look.theme);
    this.most = look.most;
    this.tiles = new Map(); // by name, the last used one last
    this.wanted = [];
    this.loading = new Set();
    this.ended = new AbortController();
  }

  /** end forgets all requests. */
  end() { this.ended.abort(); }

  /** cells returns the number of cells along each side of a level, from 0. */
  cells(level) { return Math.ceil(this.n / 2 ** level); }

  /** want begins a new list of tiles to load. The most urgent ones come last. */
  want() { this.wanted = []; }

  /** get returns a tile. If it is not there, it is put on the list. */
  get(level, row, col) {
    const name = `${level}.${row}.${col}`, tile = this.tiles.get(name);
    if (!tile) {
      if (!this.loading.has(name)) this.wanted.push({ name, level, row, col });
      return null;
    }
    this.tiles.delete(name);
    this.tiles.set(name, tile);
    return tile;
  }

  /** load requests tiles of the list. */
  load() {
    while (this.wanted.length && this.loading.size < AT_ONCE) this.fetch(this.wanted.pop());
  }

  async fetch({ name, level, row, col }) {
    this.loading.add(name);
    try {
      const response = await fetch(this.url(level, row, col), { signal: this.ended.signal });
      if (!response.ok) throw new Error(`status ${response.status}`);
      const values = new Float32Array(await response.arrayBuffer());
      const size = (i) => Math.min(SIDE, this.cells(level) - i * SIDE), [rows, cols] = [size(row), size(col)];
      this.tiles.set(name, { values, rows, cols, image: this.image(values, rows, cols) });
      for (const old of this.tiles.keys()) {
        if (this.tiles.size <= KEPT) break;
        this.tiles.delete(old);
      }
    } catch (error) {
      if (!this.ended.signal.aborted) this.failed(error);
    } finally {
      this.loading.delete(name);
      if (!this.ended.signal.aborted) this.changed();
    }
  }

  /** image draws one pixel per number. Numbers of 0 stay transparent. */
  image(values, rows, cols) {
    const canvas = Object.assign(document.createElement('canvas'), { width: cols, height: rows });
    const context = canvas.getContext('2d'), image = context.createImageData(cols, rows);
    const out = new Uint32Array(image.data.buffer), least = Math.log(low(this.n));
    const place = this.most ? (v) => v / this.most : (v) => 1 - Math.log(v) / least;
    for (let i = 0; i < values.length; i++) {
      if (values[i] <= 0) continue;
      out[i] = this.colours[Math.max(0, Math.min(255, Math.floor(place(values[i]) * 256)))];
    }
    context.putImageData(image, 0, 0);
    return canvas;
  }

  /** levelOf returns the level whose cells are about one pixel, if a token has so many pixels. */
  levelOf(scale) { return Math.max(0, Math.min(this.levels - 1, Math.floor(Math.log2(1 / scale)))); }

  /** value returns the largest weight of the cell of a pair of tokens at a level, or null before it is loaded. */
  value(level, row, col) {
    const [r, c] = [row >> level, col >> level], tile = this.tiles.get(`${level}.${r >> 8}.${c >> 8}`);
    return tile ? tile.values[(r % SIDE) * tile.cols + (c % SIDE)] : null;
  }

  /**
   * draw draws the visible part of the map. Where a tile is missing, it draws a part of a coarser one.
   * @param {CanvasRenderingContext2D} context whose origin is the corner of the view
   * @param {{x: number, y: number, scale: number}} view token at the corner, and pixels per token
   * @param {number} width
   * @param {number} height
   * @param {number} ratio device pixels per pixel
   */
  draw(context, view, width, height, ratio) {
    this.want();
    this.get(this.levels - 1, 0, 0);
    const level = this.levelOf(view.scale * ratio), side = SIDE * 2 ** level, last = Math.ceil(this.n / side) - 1;
    const from = (at) => Math.max(0, Math.floor(at / side)), to = (at, size) =>
      Math.min(last, Math.floor((at + size / view.scale) / side));
    context.imageSmoothingEnabled = false;
    for (let row = from(view.y); row <= to(view.y, height); row++)
      for (let col = from(view.x); col <= to(view.x, width); col++) this.put(context, view, level, row, col);
    this.load();
  }

  put(context, view, level, row, col) {
    for (let up = 0; level + up < this.levels; up++) {
      const part = 2 ** up, name = `${level + up}.${row >> up}.${col >> up}`;
      const tile = up ? this.tiles.get(name) : this.get(level, row, col);
      if (!tile) continue;
      const cell = 2 ** (level + up), [x, y] = [(col % part) * (SIDE / part), (row % part) * (SIDE / part)];
      const w = Math.min(SIDE / part, tile.cols - x), h = Math.min(SIDE / part, tile.rows - y);
      if (w <= 0 || h <= 0) return;
      const at = (i, first, corner) => (((i >> up) * SIDE + first) * cell - corner) * view.scale;
      const [left, top] = [at(col, x, view.x), at(row, y, view.y)];
      context.drawImage(tile.image, x, y, w, h, left, top, w * cell * view.scale, h * cell * view.scale);
      return;
    }
  }
}
