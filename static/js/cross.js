// The cross-hair: double lines, light inside dark, around rows and columns.

import { edge } from './paint.js';

const DARK = 'rgb(0 0 0 / 80%)', LIGHT = '#fff'; // as --line-under and --line-over

/**
 * draw puts lines around rows and columns of a canvas.
 * @param {HTMLCanvasElement} canvas
 * @param {{rows: number, cols: number}} cells
 * @param {{rows: number[], cols: number[]}} marked
 * @param {{ratio: number, pinned: boolean, keep?: boolean}} how keep: on what is drawn already
 */
export function draw(canvas, { rows, cols }, marked, { ratio, pinned, keep }) {
  const ctx = canvas.getContext('2d'), { width, height } = canvas;
  if (!keep) ctx.clearRect(0, 0, width, height);
  const band = (i, n, size) => [edge(i, n, size), edge(i + 1, n, size) - edge(i, n, size)];
  const across = marked.rows.map((r) => band(r, rows, height)), down = marked.cols.map((c) => band(c, cols, width));
  const boxes = [...across.map(([y, h]) => [-9, y, width + 18, h]), ...down.map(([x, w]) => [x, -9, w, height + 18])];
  const lines = boxes.length;
  if (pinned) for (const [y, h] of across) for (const [x, w] of down) boxes.push([x, y, w, h]);
  const small = Math.min(height / rows, width / cols) < 7 * ratio; // thinner lines hide fewer cells
  for (const [colour, thick] of [[DARK, small ? 2 : 3], [LIGHT, small ? 0.8 : 1]]) {
    ctx.strokeStyle = colour;
    for (const [i, [x, y, w, h]] of boxes.entries()) {
      ctx.lineWidth = (thick + (i >= lines ? 1.5 : 0)) * ratio;
      ctx.strokeRect(x - ratio, y - ratio, w + 2 * ratio, h + 2 * ratio);
    }
  }
}
