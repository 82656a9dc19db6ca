// Labels in two lanes. In presentation mode letters are higher than the cells of a sentence. Then
// every second label is further out, with a line to its cell, so that all fit.

import { shorten } from './format.js';

export const CHARS = 9; // of a label
const APART = 8, EDGE = 8; // pixels between the lanes, and next to the map
// SQUARE matches letters that are as wide as they are high; their font is possibly not loaded yet.
const SQUARE = /[\u2600-\u27bf\u2e80-\ud7af\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\u{1f000}-\u{3ffff}]/gu;
const pen = document.createElement('canvas').getContext('2d');

/**
 * outside returns for each label how many pixels further out it is than those next to the map, and the space
 * for all.
 * @param {string[]} labels
 * @param {number} letter in CSS pixels
 * @returns {{out: number[], room: number}}
 */
export function outside(labels, letter) {
  pen.font = `400 ${letter}px Inter, sans-serif`;
  const wide = labels.map((text) =>
    Math.ceil(pen.measureText(text.replace(SQUARE, '')).width + letter * (text.match(SQUARE)?.length ?? 0)),
  );
  const out = wide.map((_, i) => (i % 2 ? Math.max(wide[i - 1], wide[i + 1] ?? 0) + APART : 0));
  return { out, room: EDGE + Math.max(0, ...wide.map((w, i) => w + out[i])) };
}

/** twofold reports whether one cell is too small for letters, but two cells are not. */
export const twofold = (cell, letter) => cell < letter && 2 * cell >= letter;

/**
 * spread makes room for two lanes next to all maps in presentation mode, if one lane would leave words out.
 * @param {HTMLElement} cards
 * @param {string[]} words
 */
export function spread(cards, words) {
  const present = document.documentElement.dataset.present === 'true', had = cards.style.getPropertyValue('--lanes');
  if (!present && !had) return; // other pages are not measured
  const room = present ? roomOf(cards, words) : 0;
  for (const [name, value] of [['--gutter', `${room}px`], ['--lanes', '2']]) {
    if (room) cards.style.setProperty(name, value);
    else cards.style.removeProperty(name);
  }
}

/** roomOf returns the space for two lanes next to a map, in CSS pixels; 0: one lane is enough, or two are
 * too few. */
function roomOf(cards, words) {
  const width = cards.querySelector('.figure')?.clientWidth ?? 0, style = getComputedStyle(document.body);
  const [letter, narrow] = ['--label', '--gutter'].map((name) => parseFloat(style.getPropertyValue(name)));
  const room = Math.max(narrow, outside(words.map((text) => shorten(text, CHARS)), letter).room);
  return (width - narrow) / words.length < letter && twofold((width - room) / words.length, letter) ? room : 0;
}
