// The forward pass, step by step: selected step, selected token, and the number under the pointer.

import { put } from '../js/look.js';
import { number } from '../js/format.js';
import { byId, el, leave, speak } from '../js/dom.js';
import { Player } from '../js/player.js';

const PACE = 1800; // milliseconds per step while playing
const MOVES = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const main = () => document.querySelector('main.through:not(.unrolled)');
const steps = () => all('.pass-step');
const current = () => steps().findIndex((step) => step.getAttribute('aria-current') === 'step');

/** follow connects the page of steps with pointer and keys. */
function follow() {
  const page = new Pass();
  page.fill();
  document.addEventListener('click', (event) => page.click(event));
  document.addEventListener('keydown', (event) => page.key(event));
  document.addEventListener('pointermove', (event) => page.point(event));
  document.addEventListener('focusin', ({ target }) => { if (!target.closest?.('.through-words')) page.words(null); });
}

class Pass {
  constructor() {
    /** @type {Map<string, Promise<object|null>>} arrays of the steps, by key */
    this.answers = new Map();
    this.player = new Player('play', PACE, {
      on: () => this.go(current() + 1),
      begin: () => { if (current() === steps().length - 1) this.go(0); },
    });
    this.asking = null;
  }

  /** fill prepares the page as sent by the server. */
  fill() {
    this.cell = null;
    this.answers.clear();
    for (const hidden of [byId('play'), byId('through-keys')]) hidden.hidden = false;
    for (const sheet of all('.pass-map .sheet')) {
      sheet.setAttribute('role', 'application');
      sheet.setAttribute('aria-label', sheet.closest('.pass-map').getAttribute('aria-label'));
    }
    this.mark(current());
  }

  /** go selects a step. */
  go(to, scroll = true) {
    const list = steps(), i = Math.min(list.length - 1, Math.max(0, to));
    if (i === current()) return false;
    this.mark(i);
    history.replaceState(history.state, '', list[i].querySelector('h3 a').getAttribute('href'));
    if (scroll) list[i].scrollIntoView({ block: 'nearest' });
    const text = (selector) => list[i].querySelector(selector).textContent;
    speak(() => `${list[i].dataset.number}: ${text('h3')}. ${text('.pass-says')}`);
    return true;
  }

  /** mark marks the selected step and its neighbours. */
  mark(i) {
    const list = steps();
    list.forEach((step, k) => {
      step.setAttribute('aria-current', k === i ? 'step' : 'false');
      step.querySelector('.sheet').tabIndex = k === i ? 0 : -1;
    });
    for (const [id, k] of [['previous', i - 1], ['next', i + 1]]) {
      const link = byId(id), to = list[k]?.querySelector('h3 a').getAttribute('href');
      if (to) link.setAttribute('href', to);
      else link.removeAttribute('href');
      link.setAttribute('aria-disabled', String(!to));
    }
    byId('through-number').replaceChildren(
      `${list[i].dataset.number}: `,
      el('b', { textContent: list[i].dataset.key }),
    );
  }

  click(event) {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = event.target.closest('a'),
      sheet = event.target.closest('.pass-map .sheet'),
      step = event.target.closest('.pass-step');
    if (event.target.closest('#play')) return this.player.toggle();
    if (link?.matches('#previous, #next')) {
      event.preventDefault();
      this.go(current() + (link.id === 'next' ? 1 : -1));
    } else if (link?.closest('.through-words')) {
      event.preventDefault();
      this.visit(link.getAttribute('href'));
    } else if (step && link?.closest('h3')) {
      event.preventDefault();
      this.go(steps().indexOf(step), false);
    } else if (sheet) {
      this.ask(step, at(sheet, event));
    }
  }

  /** visit selects another token; the server sends the values of its rows. */
  async visit(address) {
    const to = put(address, 'map', steps()[current()].dataset.key);
    this.asking?.abort();
    const { signal } = this.asking = new AbortController();
    try {
      const answer = await fetch(to, { signal });
      const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main.through');
      if (!answer.ok || !fresh) throw new Error(to);
      const focused = document.activeElement?.closest?.('.through-words .token')?.dataset.i;
      history.pushState(history.state, '', to);
      main().replaceWith(fresh);
      this.fill();
      this.player.resume();
      if (focused) document.querySelector(`.through-words .token[data-i="${focused}"] a`)?.focus();
    } catch (error) {
      if (error.name !== 'AbortError') leave(to); // that page shows the error
    }
  }

  /** key handles the arrow keys: in a map they move through its cells, elsewhere through the steps. */
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const sheet = event.target.matches?.('.pass-map .sheet') && event.target,
      step = event.target.closest?.('.pass-step');
    const act = sheet && MOVES[event.key] ? () => this.move(sheet, ...MOVES[event.key])
      : sheet && event.key === 'Enter' ? () => this.ask(step, this.cell)
        : this.pageKey(event);
    if (!act) return;
    event.preventDefault();
    act();
  }

  pageKey({ key, target }) {
    switch (key) {
      case 'ArrowLeft': return () => this.go(current() - 1);
      case 'ArrowRight': return () => this.go(current() + 1);
      case 'Home': return () => this.go(0);
      case 'End': return () => this.go(steps().length - 1);
      case '[': return () => this.beside(-1);
      case ']': return () => this.beside(1);
      case ' ': return target.closest('a, button') ? null : () => this.player.toggle();
      default: return null;
    }
  }

  /** beside selects the previous or next token. */
  beside(by) {
    const links = all('.through-words a'),
      now = links.findIndex((link) => link.getAttribute('aria-current') === 'true');
    const to = links[now + by];
    if (to) this.visit(to.getAttribute('href'));
  }

  /** move selects a neighbouring cell of a map. */
  move(sheet, dr, dc) {
    const { rows, cols } = sizeOf(sheet),
      from = this.cell?.sheet === sheet ? this.cell : { row: (Number(main().dataset.row) % rows) - dr, col: -dc };
    this.show({ sheet, row: clamp(from.row + dr, rows), col: clamp(from.col + dc, cols) }, true);
  }

  /** point shows the cell or the word under the pointer. */
  point(event) {
    if (event.pointerType === 'touch') return;
    const sheet = event.target.closest?.('.pass-map .sheet'), word = event.target.closest?.('.through-words .token');
    if (sheet) this.show(at(sheet, event), false);
    else {
      this.leave();
      this.words(word ? Number(word.dataset.i) : null);
    }
  }

  leave() {
    if (!this.cell) return;
    this.cell = null;
    for (const box of all('.pass-at')) box.remove();
    for (const token of all('.through-words .token')) token.classList.remove('reads', 'read');
    byId('through-read').textContent = '';
  }

  /** words marks the row of a token in every map; null stands for the selected token. */
  words(i) {
    const y = String(i ?? main().dataset.row);
    for (const map of all('.pass-map[data-words=true]')) {
      for (const rect of all('.marked rect', map)) if (rect.getAttribute('y') !== y) rect.setAttribute('y', y);
    }
  }

  /** show frames a cell and its words in the text, and displays its value. */
  async show(cell, aloud) {
    if (this.cell && this.cell.sheet === cell.sheet && this.cell.row === cell.row && this.cell.col === cell.col) return;
    this.leave();
    this.cell = cell;
    const { rows, cols } = sizeOf(cell.sheet), step = cell.sheet.closest('.pass-step');
    const box = el('span', { className: 'pass-at' });
    Object.assign(box.style, {
      left: `${(100 * cell.col) / cols}%`,
      top: `${(100 * cell.row) / rows}%`,
      width: `${100 / cols}%`,
      height: `${100 / rows}%`,
    });
    cell.sheet.append(box);
    const tokens = all('.through-words .token'),
      [ofRows, ofCols] = ['.view-rows', '.view-cols'].map((side) => step.querySelector(side));
    if (step.querySelector('.pass-map').dataset.words === 'true') {
      this.words(cell.row);
      tokens[cell.row]?.classList.add('reads');
    }
    if (ofCols.matches('.role-key, .role-token') && step.querySelector('.pass-map').dataset.reads === 'true')
      tokens[cell.col]?.classList.add('read');
    const answer = await this.load(step.dataset.key);
    if (this.cell !== cell) return;
    const told = [name(answer, -2, cell.row, ofRows, tokens), name(answer, -1, cell.col, ofCols, tokens)]
      .filter(Boolean)
      .join(' · ');
    byId('through-read').textContent = answer ? `${told} = ${number(value(answer, step, cell))}` : told;
    if (aloud) speak(() => byId('through-read').textContent);
  }

  /** load requests the numbers of a step once. */
  load(key) {
    if (!this.answers.has(key)) {
      const asked = fetch(put(main().dataset.src, 'map', key)).then((r) => (r.ok ? r.json() : null), () => null);
      this.answers.set(key, asked.then((a) => a?.steps.find((step) => step.key === key) ?? null));
    }
    return this.answers.get(key);
  }

  /** ask opens the page that traces the number of a cell. */
  ask(step, cell) {
    const array = Number(step.dataset.array);
    if (cell && array > 0) leave(put(main().dataset.ask, 'number', `${array}.${placeOf(step, cell)}`));
  }
}

const clamp = (i, n) => Math.min(n - 1, Math.max(0, i));

function sizeOf(sheet) {
  const { rows, cols } = sheet.closest('.pass-map').dataset;
  return { rows: Number(rows), cols: Number(cols) };
}

/** at returns the cell of a map under the pointer. */
function at(sheet, { clientX, clientY }) {
  const { left, top, width, height } = sheet.getBoundingClientRect(), { rows, cols } = sizeOf(sheet);
  return {
    sheet,
    row: clamp(Math.floor(((clientY - top) / height) * rows), rows),
    col: clamp(Math.floor(((clientX - left) / width) * cols), cols),
  };
}

/** placeOf returns the flat index of a cell in its array. */
function placeOf({ dataset }, { row, col }) {
  const columns = dataset.columns ? dataset.columns.split(',').map(Number) : null;
  return columns ? columns[col] : Number(dataset.from) + row * Number(dataset.stride) + col;
}

/** value returns the number of a cell. Some responses contain only selected columns of an array. */
const value = (answer, step, cell) => answer.values[step.dataset.columns ? cell.col : placeOf(step, cell)];

/** name returns a position in words, or nothing for a single row. */
function name(answer, axis, i, title, tokens) {
  const label = answer?.labels?.at(axis)?.[i];
  if (label || !title) return label ?? '';
  if (title.matches('.role-query, .role-key, .role-token') && tokens.length > i) return tokens[i].textContent.trim();
  return `${title.firstChild.textContent.trim()} ${i + 1}`;
}

if (main()) follow();
