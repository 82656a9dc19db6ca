// A row as arcs from its token to the tokens that it attends to, instead of its map. The server
// draws the same (web/arcs.go), in a square of 100 by 100.

import { colourOf } from './paint.js';
import { shorten } from './format.js';

/** @typedef {import('./sheet.js').Sheet} Sheet */

const SVG = 'http://www.w3.org/2000/svg';
const WIDE = 5, THIN = 0.08;

// The labels on the right: end of the arcs, space for a label, and its most characters. Labels are
// larger in presentation mode.
const USUAL = { end: 64, room: 4.2, chars: 12 }, PRESENT = { end: 46, room: 11, chars: 9 };

/**
 * draw draws the arcs of a row, or without a row the largest arc of each.
 * @param {Element} svg
 * @param {Sheet} sheet
 * @param {import('./sheet.js').Focus} at
 * @param {import('./paint.js').Look} look
 */
export function draw(svg, sheet, at, look) {
  const row = at?.row ?? null,
    n = sheet.cols.count,
    form = document.documentElement.dataset.present === 'true' ? PRESENT : USUAL;
  const arcs = lines(sheet, row).filter(({ share }) => WIDE * share >= THIN);
  const size = (col) => (row === null ? 0 : -Math.abs(sheet.shown.values[row * n + col]));
  const words = row === null ? [] : Array.from({ length: n }, (_, col) => swatch(sheet, row, col, { look, form }));
  const labels = labelled(
    Array.from({ length: n }, (_, col) => size(col)),
    form,
  ).map((col) => label(sheet.words[col] ?? String(col + 1), place(col, n), form));
  svg.replaceChildren(...words.filter(Boolean), ...labels, ...arcs.map((arc) => curve(arc, n, { at, form })));
}

/** lines returns the arcs with their widths relative to the widest. */
function lines(sheet, row) {
  const rows = row === null ? Array.from({ length: sheet.rows.count }, (_, r) => r) : [row];
  const list = rows
    .flatMap((r) => {
      const own = sheet
        .rank(Array.from({ length: sheet.cols.count }, (_, col) => ({ row: r, col })))
        .filter((c) => !sheet.aside(c.row, c.col));
      return row === null ? own.slice(0, 1) : own;
    })
    .map((cell) => ({ ...cell, v: sheet.shown.values[cell.row * sheet.cols.count + cell.col] }))
    .filter(({ v }) => Number.isFinite(v) && v);
  const top = Math.max(...list.map(({ v }) => Math.abs(v)));
  return list.map((cell) => ({ ...cell, share: Math.abs(cell.v) / top }));
}

const place = (i, n) => ((i + 0.5) * 100) / n;

function curve({ row, col, v, share }, n, { at, form: { end } }) {
  const from = place(row, n).toFixed(2), to = place(col, n).toFixed(2);
  const name = [v < 0 && 'negative', col === at?.col && 'on'].filter(Boolean).join(' ');
  return make('path', {
    'd': `M0 ${from}C${end / 2} ${from} ${end / 2} ${to} ${end} ${to}`,
    'stroke-width': (WIDE * share).toFixed(2),
    'class': name,
  });
}

function swatch(sheet, row, col, { look, form }) {
  const n = sheet.cols.count, colour = colourOf(sheet.shown, row * n + col, look);
  return (
    colour &&
    make('rect', {
      x: form.end + 0.5,
      y: ((col * 100) / n).toFixed(2),
      width: 3,
      height: (100 / n).toFixed(2),
      fill: `rgb(${colour.join(' ')})`,
    })
  );
}

function label(text, y, { end, chars }) {
  const made = make('text', { x: end + 5, y: y.toFixed(2), dy: '.35em' });
  made.textContent = shorten(text, chars);
  return made;
}

/** labelled returns the positions whose labels fit. Positions earlier in order come first. */
function labelled(order, { room }) {
  const list = [], n = order.length;
  for (const i of order.map((_, k) => k).sort((a, b) => order[a] - order[b])) {
    if (!list.some((j) => Math.abs(place(i, n) - place(j, n)) < room)) list.push(i);
  }
  return list;
}

function make(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
