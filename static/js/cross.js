// The cross-hair: double lines, light inside dark, around rows and columns. On the screen they are
// boxes, which a browser moves without repainting the map. In print they are drawn.

import { edge } from './paint.js';
import { el } from './dom.js';

const DARK = 'rgb(0 0 0 / 80%)', LIGHT = '#fff'; // as --line-under and --line-over
const BEYOND = 9; // pixels by which lines extend beyond the map, within its frame
const FINE = 7; // CSS pixels of a cell below which thinner lines are used, to hide less

/** @typedef {{rows: number, cols: number}} Cells */
/** @typedef {{rows: number[], cols: number[]}} Marked */

/**
 * bands returns the boxes of rows and columns in pixels, and for a pinned cell also the cell itself. Boxes that
 * follow the pointer have a constant size, although cells differ by a pixel, so that the browser only needs to
 * move them.
 * @param {Cells} cells
 * @param {Marked} marked
 * @param {{width: number, height: number, pinned: boolean}} how
 * @returns {{x: number, y: number, w: number, h: number, cell?: boolean}[]}
 */
function bands({ rows, cols }, marked, { width, height, pinned }) {
  const band = (i, n, size) => [
    edge(i, n, size),
    pinned ? edge(i + 1, n, size) - edge(i, n, size) : Math.round(size / n),
  ];
  const across = marked.rows.map((r) => band(r, rows, height)), down = marked.cols.map((c) => band(c, cols, width));
  const lines = [
    ...across.map(([y, h]) => ({ x: -BEYOND, y, w: width + 2 * BEYOND, h })),
    ...down.map(([x, w]) => ({ x, y: -BEYOND, w, h: height + 2 * BEYOND })),
  ];
  return pinned ? [...lines, ...across.flatMap(([y, h]) => down.map(([x, w]) => ({ x, y, w, h, cell: true })))] : lines;
}

export class Cross {
  /** @param {HTMLElement} box that it lies over */
  constructor(box) {
    this.frame = el('div', { className: 'cross' });
    /** @type {{line: HTMLElement, at: string}[]} */
    this.lines = [];
    box.append(this.frame);
  }

  /**
   * show draws lines around rows and columns.
   * @param {Cells} cells
   * @param {Marked} marked
   * @param {{width: number, height: number, ratio: number, pinned: boolean}} how sizes in
   *   device pixels; ratio: device pixels per CSS pixel
   */
  show(cells, marked, how) {
    const list = bands(cells, marked, how),
      fine = Math.min(how.height / cells.rows, how.width / cells.cols) < FINE * how.ratio;
    while (this.lines.length < list.length) this.lines.push({ line: this.frame.appendChild(el('i', {})), at: '' });
    for (const [i, one] of this.lines.entries()) put(one, list[i], fine, how.ratio);
  }
}

/** put moves a line to a place, or hides it. */
function put(one, band, fine, ratio) {
  const [x, y, w, h] = band ? [band.x, band.y, band.w, band.h].map((v) => v / ratio) : [];
  const at = band ? `${x} ${y} ${w} ${h} ${fine} ${band.cell}` : '';
  if (one.at === at) return;
  one.at = at;
  const { line } = one, name = [fine && 'fine', band?.cell && 'cell'].filter(Boolean).join(' ');
  if (line.hidden === Boolean(band)) line.hidden = !band;
  if (!band) return;
  if (line.className !== name) line.className = name;
  for (const [key, value] of [['width', `${w}px`], ['height', `${h}px`], ['transform', `translate(${x}px, ${y}px)`]]) {
    if (line.style[key] !== value) line.style[key] = value;
  }
}

/**
 * draw draws the lines on a map for printing, because Chromium prints elements over a canvas as white.
 * @param {HTMLCanvasElement} canvas
 * @param {Cells} cells
 * @param {Marked} marked
 * @param {{ratio: number, pinned: boolean}} how
 */
export function draw(canvas, cells, marked, { ratio, pinned }) {
  const ctx = canvas.getContext('2d'), { width, height } = canvas;
  const fine = Math.min(height / cells.rows, width / cells.cols) < FINE * ratio;
  for (const [colour, thick] of [[DARK, fine ? 2 : 3], [LIGHT, fine ? 0.8 : 1]]) {
    ctx.strokeStyle = colour;
    for (const { x, y, w, h, cell } of bands(cells, marked, { width, height, pinned })) {
      ctx.lineWidth = (thick + (cell ? 1.5 : 0)) * ratio;
      ctx.strokeRect(x - ratio, y - ratio, w + 2 * ratio, h + 2 * ratio);
    }
  }
}
