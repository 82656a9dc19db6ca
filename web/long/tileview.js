// A canvas that shows a part of a large map. Dragging pans it; the wheel, two fingers and keys zoom.

import { shorten } from '../js/format.js';

const LABELLED = 13; // pixels per token from which tokens have labels
const CLOSE = 18; // pixels per token after a jump to a cell
const MOST = 48; // pixels per token
const MARGIN = { wide: [96, 72], narrow: [64, 56] }; // pixels for the labels at the left and at the top

/** @typedef {{row: number, col: number}} Place counted from 0 */

/** Viewer shows a part of the map on a canvas. A view has the token at the corner, and the pixels per token. */
export class Viewer {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {string[]} tokens
   * @param {{pin: (at: Place|null) => void, point: (at: Place|null) => void, moved: (to: Viewer) => void}} act for
   *   clicks, for moves of the pointer, and for moves of the view
   */
  constructor(canvas, tokens, act) {
    Object.assign(this, { canvas, tokens, act, n: tokens.length, tiles: null, due: 0 });
    Object.assign(this, { at: null, pinned: null, found: [] }); // under the pointer, selected, and searched
    this.context = canvas.getContext('2d');
    this.view = null;
    new ResizeObserver(() => { this.size(); this.draw(); }).observe(canvas);
    this.size();
    this.pointers();
    canvas.addEventListener('keydown', (event) => this.key(event));
  }

  size() {
    const { clientWidth: width, clientHeight: height } = this.canvas, ratio = window.devicePixelRatio || 1;
    Object.assign(this.canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
    [this.left, this.top] = width < 600 ? MARGIN.narrow : MARGIN.wide;
    Object.assign(this, { ratio, width: width - this.left, height: height - this.top });
    if (!this.view) this.whole();
    this.bound();
  }

  /** least returns the scale at which the whole map is visible. */
  least() { return Math.min(this.width, this.height) / this.n; }

  whole() { this.view = { x: 0, y: 0, scale: this.least() }; this.draw(); }

  bound() {
    const view = this.view;
    view.scale = Math.max(this.least(), Math.min(Math.max(MOST, this.least()), view.scale));
    const within = (at, size) => Math.max(0, Math.min(Math.max(0, this.n - size / view.scale), at));
    view.x = within(view.x, this.width);
    view.y = within(view.y, this.height);
  }

  /** zoom changes the scale around a point of the map's part of the canvas. */
  zoom(by, x = this.width / 2, y = this.height / 2) {
    const view = this.view, [col, row] = [view.x + x / view.scale, view.y + y / view.scale];
    view.scale *= by;
    this.bound();
    [view.x, view.y] = [col - x / view.scale, row - y / view.scale];
    this.bound();
    this.draw();
  }

  pan(dx, dy) {
    this.view.x -= dx / this.view.scale;
    this.view.y -= dy / this.view.scale;
    this.bound();
    this.draw();
  }

  /** jump shows a cell in the middle. */
  jump(row, col) {
    const scale = Math.max(this.view.scale, CLOSE);
    this.view = { scale, x: col + 0.5 - this.width / scale / 2, y: row + 0.5 - this.height / scale / 2 };
    this.bound();
    this.draw();
  }

  /** cell returns the row and the column under a point of the canvas, or null. */
  cell(event) {
    const box = this.canvas.getBoundingClientRect(), x = event.clientX - box.left - this.left;
    const y = event.clientY - box.top - this.top, view = this.view;
    const [row, col] = [Math.floor(view.y + y / view.scale), Math.floor(view.x + x / view.scale)];
    return x < 0 || y < 0 || row >= this.n || col >= this.n ? null : { row, col };
  }

  pointers() {
    const down = new Map(), canvas = this.canvas;
    let moved = 0;
    const spread = () => {
      const [a, b] = [...down.values()];
      return Math.max(1, Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY));
    };
    canvas.addEventListener('pointerdown', (event) => {
      if (event.button) return;
      canvas.setPointerCapture(event.pointerId);
      down.set(event.pointerId, event);
      moved = down.size > 1 ? Infinity : 0;
    });
    canvas.addEventListener('pointermove', (event) => {
      const before = down.get(event.pointerId);
      if (!before) return this.point(this.cell(event));
      const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
      moved += Math.abs(dx) + Math.abs(dy);
      const wide = down.size > 1 ? spread() : 0, box = canvas.getBoundingClientRect();
      down.set(event.pointerId, event);
      if (down.size === 1) return moved > 4 && this.pan(dx, dy);
      const [a, b] = [...down.values()];
      this.pan(dx / 2, dy / 2);
      this.zoom(spread() / wide, (a.clientX + b.clientX) / 2 - box.left - this.left,
        (a.clientY + b.clientY) / 2 - box.top - this.top);
    });
    const up = (event) => {
      if (down.delete(event.pointerId) && event.type === 'pointerup' && moved <= 4) this.act.pin(this.cell(event));
    };
    canvas.addEventListener('pointerup', up);
    canvas.addEventListener('pointercancel', up);
    canvas.addEventListener('pointerleave', () => this.point(null));
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      const box = canvas.getBoundingClientRect(), lines = event.deltaMode ? 16 : 1;
      this.zoom(Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.002)), event.clientX - box.left - this.left,
        event.clientY - box.top - this.top);
      this.point(this.cell(event));
    }, { passive: false });
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = event.shiftKey ? 0.9 : 0.1, [x, y] = [this.width * step, this.height * step];
    const act = {
      ArrowLeft: () => this.pan(x, 0), ArrowRight: () => this.pan(-x, 0), ArrowUp: () => this.pan(0, y),
      ArrowDown: () => this.pan(0, -y), '+': () => this.zoom(1.5), '=': () => this.zoom(1.5),
      '-': () => this.zoom(1 / 1.5), 0: () => this.whole(),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  point(at) {
    this.at = at;
    this.draw();
    this.act.point(at ?? this.pinned);
  }

  /** draw draws before the next frame. */
  draw() { this.due ||= requestAnimationFrame(() => { this.due = 0; this.paint(); }); }

  paint() {
    const { context, view, left, top, width, height, ratio } = this, style = getComputedStyle(this.canvas);
    const colour = (name) => resolved(this.canvas, name), drawn = Math.min(width, this.n * view.scale);
    const tall = Math.min(height, this.n * view.scale);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, left + width, top + height);
    context.save();
    context.translate(left, top);
    context.beginPath();
    context.rect(0, 0, drawn, tall);
    context.clip();
    if (this.tiles) this.tiles.draw(context, view, width, height, ratio);
    const x = (col) => (col - view.x) * view.scale, y = (row) => (row - view.y) * view.scale;
    const thick = Math.max(1, view.scale);
    context.globalAlpha = 0.35;
    context.fillStyle = colour('--is-read');
    for (const span of this.found) {
      const wide = Math.max(1, (span.to - span.from + 1) * view.scale);
      context.fillRect(x(span.from - 1), 0, wide, tall);
      context.fillRect(0, y(span.from - 1), drawn, wide);
    }
    context.globalAlpha = 1;
    for (const at of [this.pinned, this.at]) {
      if (!at) continue;
      context.strokeStyle = colour(at === this.pinned ? '--is-read' : '--focus');
      context.lineWidth = 2;
      const size = Math.max(thick, 7), shift = (size - thick) / 2;
      context.strokeRect(x(at.col) - shift, y(at.row) - shift, size, size);
    }
    context.restore();
    context.strokeStyle = colour('--line-strong');
    context.strokeRect(left - 0.5, top - 0.5, drawn + 1, tall + 1);
    context.font = `12px ${style.fontFamily}`;
    this.labels(x, y, colour);
    this.act.moved(this);
  }

  /** labels writes tokens, or their numbers where tokens have no room. */
  labels(x, y, colour) {
    const { context, view, left, top, width, height } = this, named = view.scale >= LABELLED;
    const step = named ? 1 : [1, 2, 5].flatMap((d) => [1, 10, 100, 1e3, 1e4].map((e) => d * e)).sort((a, b) => a - b)
      .find((s) => s * view.scale >= 56) ?? 5e4;
    const most = Math.floor(left / 7) - 1, marked = (i) => this.found.some((f) => i >= f.from - 1 && i < f.to);
    const label = (i) => (named ? shorten(this.tokens[i], most) : String(i || 1));
    const each = (first, count, put) => {
      for (let i = Math.ceil(first / step - (named ? 1 : 0)) * step; i < Math.min(this.n, first + count); i += step) {
        if (i < first - 0.5 || i < 0) continue;
        const near = this.at && (i === this.at.row || i === this.at.col);
        context.fillStyle = colour(marked(i) ? '--is-read' : near ? '--focus' : '--muted');
        put(i, label(i));
      }
    };
    context.textBaseline = 'middle';
    context.textAlign = 'right';
    const half = named ? view.scale / 2 : 0;
    each(view.y, height / view.scale, (i, text) => context.fillText(text, left - 6, top + y(i) + half));
    context.textAlign = named ? 'left' : 'center';
    each(view.x, width / view.scale, (i, text) => {
      context.save();
      context.translate(left + x(i) + half, top - 8);
      if (named) context.rotate(-Math.PI / 3);
      context.fillText(text, 0, 0);
      context.restore();
    });
  }
}


const shades = new Map();

/** resolved returns the value of a colour variable, which differs between themes. */
function resolved(canvas, name) {
  const scheme = getComputedStyle(canvas).colorScheme + matchMedia('(prefers-color-scheme: dark)').matches;
  const key = `${name} ${scheme}`;
  if (!shades.has(key)) {
    canvas.style.outlineColor = `var(${name})`;
    shades.set(key, getComputedStyle(canvas).outlineColor);
    canvas.style.outlineColor = '';
  }
  return shades.get(key);
}
