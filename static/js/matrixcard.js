// The card of a visitor's own matrix, from a file or from pasted text. If the matrix has as many
// rows and columns as the text has tokens, its map shares the cross-hair. Its numbers never leave
// the browser.

import { read, quantise, MOST_BYTES } from './matrix.js';
import { colourOf } from './paint.js';
import { look } from './look.js';
import { byId, el, OURS } from './dom.js';
import { number, shorten } from './format.js';
import { enlargeable } from './matrixlarge.js';
import { t } from './messages.js';

const NAME = 'matrix',
  FILES = /\.(csv|tsv|txt|npy|json)$/i;
const LOW = 8,
  HIGH = 2; // largest ratio of width and height of a map
const CELL = 16,
  LETTER = 11,
  GAP = 6,
  CHARS = 16; // characters of a figure, in its units
const SVG = 'http://www.w3.org/2000/svg';

export class Matrix {
  /** @param {import('./wall.js').Wall} wall */
  constructor(wall) {
    Object.assign(this, { wall, name: '', wrong: '', card: null, enlarged: null });
    wall.matrix = this;
    /** @type {import('./matrix.js').Matrix|null} */
    this.matrix = null;
    byId('matrix-begin').hidden = false;
    byId('matrix-begin').addEventListener('click', () => this.open());
    document.addEventListener('paste', (event) => {
      const { files } = event.clipboardData,
        text = event.clipboardData.getData('text');
      if (event.target.closest('input, textarea') || (!files.length && !text)) return;
      event.preventDefault();
      this.take(files[0] ?? pasted(text));
    });
  }

  /** reads reports whether a file can contain a matrix. */
  reads({ name }) {
    return FILES.test(name);
  }

  /** take reads a file, and shows its matrix or an error. */
  async take(file) {
    this.name = file.name;
    [this.matrix, this.wrong] = [null, ''];
    try {
      this.matrix = read(file.size > MOST_BYTES ? { byteLength: file.size } : await file.arrayBuffer());
    } catch (error) {
      if (!error.says) throw error;
      this.wrong = t(error.says, error.args);
    }
    this.show();
  }

  /** open shows the card before there is a matrix. */
  open() {
    byId('matrix-begin').closest('details').open = false;
    this.show();
    this.card.querySelector('input').focus();
  }

  show() {
    this.card ??= this.make();
    this.fill();
    this.card.scrollIntoView({ block: 'nearest', inline: 'start', behavior: 'instant' });
  }

  make() {
    const card = byId('matrix-card').content.firstElementChild.cloneNode(true),
      text = card.querySelector('textarea');
    card.querySelector('input').addEventListener('change', ({ target }) => {
      if (target.files.length) this.take(target.files[0]);
    });
    text.addEventListener('input', () => this.take(pasted(text.value)));
    card.querySelector('.enlarge').addEventListener('click', () => this.wall.large.open(NAME));
    card.querySelector('.matrix-remove').addEventListener('click', () => this.remove());
    card.addEventListener('click', ({ target }) => {
      if (target.dataset.format) this.save(target.dataset.format.toLowerCase());
    });
    return card;
  }

  remove() {
    this.card.remove();
    [this.card, this.matrix, this.wrong, this.enlarged] = [null, null, '', null];
    this.wall.views.fill();
    byId('cards').dataset.count = byId('cards').children.length;
    document.querySelector('#switcher [data-mechanism="matrix"]')?.remove();
    byId('changes').querySelector('summary').focus();
  }

  /** fill adds the card after those of the page. */
  fill() {
    const { card, matrix } = this,
      cards = byId('cards'),
      switcher = byId('switcher');
    if (!card) return;
    cards.append(card);
    cards.dataset.count = cards.children.length;
    if (switcher.firstElementChild && !switcher.querySelector('[data-mechanism="matrix"]')) {
      switcher.append(el('a', { href: '#card-matrix' }, card.querySelector('h2').textContent));
      switcher.lastElementChild.dataset.mechanism = NAME;
    }
    const [wrong, figure, input] = ['.matrix-wrong', '.view', '.matrix-input'].map((one) => card.querySelector(one));
    Object.assign(wrong, { textContent: this.wrong, hidden: !this.wrong });
    card.querySelector('.truth').textContent = matrix
      ? t('script.matrix.size', { name: this.name, rows: matrix.rows, columns: matrix.cols })
      : this.name;
    figure.hidden = card.querySelector('.enlarge').hidden = !matrix;
    input.open ||= !matrix;
    for (const one of card.querySelectorAll('[data-format]')) one.hidden = !matrix;
    if (matrix) this.draw(figure);
  }

  draw(figure) {
    const { rows, cols, values, rowNames, colNames } = this.matrix,
      plane = quantise(this.matrix, byId('c-norm')?.value ?? 'row');
    this.plane = { ...plane, rows, cols, values };
    const words = this.wall.words.length,
      pairs = rows === words && cols === words;
    const axis = (role, title, labels) => ({
      role: pairs ? role : '',
      title: t(`script.matrix.${title}`),
      words: pairs && !labels,
      labels,
    });
    this.map = {
      name: NAME,
      kind: 'weight',
      form: 'matrix',
      rows,
      cols,
      axes: [axis('query', 'row', rowNames), axis('key', 'column', colNames)],
      planes: [this.plane],
    };
    for (const one of figure.querySelectorAll(OURS)) one.remove();
    figure
      .querySelector('.sizer')
      .setAttribute('viewBox', `0 0 ${cols} ${Math.min(Math.max(rows, cols / LOW), cols * HIGH)}`);
    figure.classList.toggle('named-cols', pairs || Boolean(colNames));
    figure.setAttribute('aria-label', t('script.matrix.label', { name: this.name, rows, columns: cols }));
    figure.querySelector('.bar').className = `bar bar-${plane.table === 'palette' ? look().palette : plane.table}`;
    figure.querySelector('.legend-title').textContent = t(
      `script.matrix.${plane.signed ? 'signed' : 'plain'}.${plane.norm}`,
      { top: number(plane.top) },
    );
    const { views, large } = this.wall;
    views.show([figure], new Map([[NAME, new Map([[NAME, this.map]])]]));
    this.enlarged = enlargeable(NAME, this.card, views.views.get(figure), this.wall);
    if (large?.id === NAME) large.show();
  }

  /** labels returns the labels of rows or columns. A matrix as large as the text has its tokens. */
  labels(names, { words }) {
    return names ?? (words ? this.wall.words : null);
  }

  /** save makes the browser save the matrix as a file. */
  async save(format) {
    const {
        matrix,
        map: { axes },
      } = this,
      [rows, cols] = [this.labels(matrix.rowNames, axes[0]), this.labels(matrix.colNames, axes[1])];
    const kept =
      format === 'csv'
        ? sheet(matrix, rows, cols)
        : format === 'json'
          ? data(matrix, rows, cols)
          : figureOf(matrix, this.plane, rows, cols);
    const blob = new Blob([kept], { type: { csv: 'text/csv', json: 'application/json' }[format] ?? 'image/svg+xml' });
    const url = URL.createObjectURL(format === 'png' ? await pixels(blob) : blob);
    el('a', { href: url, download: `${this.name.replace(/\.\w+$/, '')}.${format}` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  }
}

/** pasted returns a text as a file. */
const pasted = (text) => new File([text], t('script.matrix.pasted'));

/** table lists the values row by row; null stands for a missing value. */
const table = ({ rows, cols, values, missing }) =>
  Array.from({ length: rows }, (_, r) =>
    Array.from({ length: cols }, (_, c) => (missing[r * cols + c] ? null : values[r * cols + c])),
  );

/** data returns a data file for <attention-map>. */
function data(matrix, rows, cols) {
  const names = (list, n) => list ?? Array.from({ length: n }, (_, i) => String(i + 1));
  return JSON.stringify({ rows: names(rows, matrix.rows), cols: names(cols, matrix.cols), values: table(matrix) });
}

/** sheet returns the matrix as CSV. */
function sheet(matrix, rows, cols) {
  const quote = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = table(matrix).map((row, r) =>
    [...(rows ? [quote(rows[r])] : []), ...row.map((v) => v ?? '')].join(','),
  );
  return [...(cols ? [[...(rows ? [''] : []), ...cols.map(quote)].join(',')] : []), ...lines, ''].join('\n');
}

/** figureOf returns a figure: one image of the cells, and labels if there are few rows and columns. */
function figureOf({ rows, cols }, plane, rowNames, colNames) {
  const now = look(),
    cells = el('canvas', { width: cols, height: rows }),
    context = cells.getContext('2d'),
    image = context.createImageData(cols, rows);
  for (let i = 0; i < rows * cols; i++) {
    const colour = colourOf(plane, i, now);
    if (colour) image.data.set([...colour, 255], 4 * i);
  }
  context.putImageData(image, 0, 0);
  const gutter = (list) =>
    list ? GAP + Math.ceil(0.6 * LETTER * Math.max(...list.map((text) => Math.min(CHARS, [...text].length)))) : 0;
  const left = gutter(rowNames),
    top = gutter(colNames),
    [width, height] = [cols * CELL, rows * CELL];
  const made = (name, attributes, text = '') => {
    const one = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
    one.textContent = text;
    return one;
  };
  const middle = (i) => (i + 0.5) * CELL,
    label = { 'dominant-baseline': 'central', 'font-size': LETTER, 'font-family': 'sans-serif' };
  const svg = made('svg', {
    viewBox: `0 0 ${left + width} ${top + height}`,
    width: left + width,
    height: top + height,
  });
  svg.append(made('rect', { width: '100%', height: '100%', fill: '#fff' }));
  svg.append(
    ...(rowNames ?? []).map((text, i) =>
      made('text', { ...label, x: left - GAP, y: top + middle(i), 'text-anchor': 'end' }, shorten(text, CHARS)),
    ),
  );
  svg.append(
    ...(colNames ?? []).map((text, i) =>
      made(
        'text',
        { ...label, transform: `translate(${left + middle(i)} ${top - GAP}) rotate(-90)` },
        shorten(text, CHARS),
      ),
    ),
  );
  svg.append(
    made('image', {
      href: cells.toDataURL(),
      x: left,
      y: top,
      width,
      height,
      preserveAspectRatio: 'none',
      'image-rendering': 'pixelated',
    }),
  );
  return new XMLSerializer().serializeToString(svg);
}

/** pixels converts an SVG file to a PNG file. It limits the pixels to the canvas size that all browsers
 * support. */
async function pixels(blob) {
  const url = URL.createObjectURL(blob),
    image = new Image();
  image.src = url;
  await image.decode();
  URL.revokeObjectURL(url);
  const scale = Math.min(2, 8192 / Math.max(image.width, image.height)),
    canvas = el('canvas', { width: image.width * scale, height: image.height * scale });
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => {
    canvas.toBlob(done, 'image/png');
  });
}
