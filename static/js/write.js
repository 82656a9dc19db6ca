// The page of the encoder–decoder: steps follow the hand, maps share one cross-hair in
// which a written word and a word of the text each have their own place.

import { View } from './view.js';
import { sheet } from './data.js';

const REST = 200; // milliseconds without a keystroke before the text is sent
const byId = (id) => document.getElementById(id);
const PARTS = ['written', 'hidden', 'downloads', 'example-list', 'neighbours'];

/**
 * @typedef {object} Place what the hand points at
 * @property {number|null} step a written word, from 0
 * @property {number|null} word a word of the text, from 0
 */

/** AXES says what rows and columns of a map are. What was read in a step was written one step before. */
const AXES = { cross: ['step', 'word'], decoder: ['step', 'before'], encoder: ['word', 'word'], 'encoder-rollout': ['word', 'word'] };

class Page {
  constructor() {
    /** @type {View[]} */
    this.views = [];
    this.step = 1;
    /** @type {{row: number|null, col: number|null}|null} */
    this.at = null;
    this.frame = 0;
    this.request = new AbortController();
    this.dark = matchMedia('(prefers-color-scheme: dark)');
    this.dark.addEventListener('change', () => this.paint());
    new ResizeObserver(() => this.paint()).observe(byId('written'));
  }

  theme() {
    return { light: 'light', dark: 'dark' }[document.documentElement.dataset.theme] || (this.dark.matches ? 'dark' : 'light');
  }

  /** fill takes the page as it now is. Without numbers the server's images stay. */
  async fill() {
    this.views = [];
    const current = document.querySelector('.step[aria-current="step"]');
    this.step = current ? Number(current.dataset.step) : 1;
    const slider = byId('slider');
    if (slider) slider.hidden = false;
    this.stops();
    const url = byId('main').dataset.src, { signal } = this.request;
    if (!url) return;
    const response = await fetch(url, { signal, headers: { Accept: 'application/json' } });
    const body = await response.json();
    if (signal.aborted || !Array.isArray(body.maps) || url !== byId('main').dataset.src) return;
    const sheets = new Map(body.maps.map((map) => [map.of, sheet(map)]));
    this.views = [...document.querySelectorAll('.writing-map .view')].map((figure) => new View(figure, sheets, []));
    this.paint();
  }

  paint() {
    for (const view of this.views) view.paint(this.theme());
    this.draw();
  }

  /** stops leaves one step of the list in the order of the Tab key. */
  stops() {
    for (const link of document.querySelectorAll('.step')) link.tabIndex = Number(link.dataset.step) === this.step ? 0 : -1;
  }

  /** go shows a step; everything about it is in the page already. */
  go(step, { push, focus }) {
    const links = [...document.querySelectorAll('.step')];
    const link = links[step - 1];
    if (!link) return;
    this.step = step;
    for (const [i, other] of links.entries()) {
      other.setAttribute('aria-current', i === step - 1 ? 'step' : 'false');
      byId(`step-${i + 1}`).hidden = i !== step - 1;
    }
    for (const rect of document.querySelectorAll('.marked rect')) rect.setAttribute('y', String(step - 1));
    const input = byId('slider').querySelector('input');
    if (Number(input.value) !== step) input.value = String(step);
    this.stops();
    if (focus) link.focus();
    byId('hidden').replaceChildren(hidden('step', String(step)));
    if (push) history.pushState(null, '', link.href);
    else history.replaceState(null, '', link.href);
    this.draw();
  }

  /** place is what a cell of a view means. */
  place(view) {
    const [rows, cols] = AXES[view.element.dataset.map];
    const out = { step: null, word: null };
    if (rows === 'step') out.step = view.cell.row;
    if (cols === 'word') out.word = view.cell.col;
    return out;
  }

  hover(view, cell) {
    for (const other of this.views) other.cell = null;
    if (view) view.cell = cell;
    this.at = view ? this.place(view) : null;
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.draw());
  }

  draw() {
    for (const view of this.views) {
      const [rows, cols] = AXES[view.element.dataset.map];
      const of = (axis) => (axis === 'step' ? this.at?.step : axis === 'word' ? this.at?.word : null) ?? null;
      const at = view.cell ? view.cell : this.at && { row: rows === 'step' ? of(rows) : null, col: of(cols) };
      view.cross(at, false);
    }
  }

  of(element) {
    const box = element.closest?.('.sheet');
    return box ? this.views.find((v) => v.box === box) : undefined;
  }

  /** here is where a link leads: small pictures keep the step that is looked at. */
  here(link) {
    const url = new URL(link.href);
    if (link.classList.contains('thumb')) url.searchParams.set('step', String(this.step));
    return url.href;
  }

  /** visit takes another state of the page over. */
  async visit(url, mode) {
    this.request.abort();
    this.request = new AbortController();
    const { signal } = this.request, form = byId('controls');
    form.setAttribute('aria-busy', 'true');
    try {
      const response = await fetch(url, { signal, headers: { Accept: 'text/html' } });
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      const main = page.querySelector('main.writing');
      if (!main) throw new Error(page.querySelector('.failure-detail')?.textContent || `The server answered with status ${response.status}.`);
      if (signal.aborted) return;
      this.apply(page, main, mode === 'keep');
      const link = main.dataset.permalink || String(url);
      if (mode === 'push') history.pushState(null, '', link);
      else history.replaceState(null, '', link);
      say('');
      await this.fill();
    } catch (error) {
      if (error.name === 'AbortError') return;
      say(`${error.message === 'Failed to fetch' ? 'The server does not answer.' : error.message} What you see is the last answer.`);
    } finally {
      if (this.request.signal === signal) form.removeAttribute('aria-busy');
    }
  }

  /** apply replaces the parts that depend on the state. */
  apply(page, main, back) {
    const focused = document.activeElement;
    const step = focused?.dataset?.step, thumb = [...document.querySelectorAll('.thumb')].indexOf(focused);
    Object.assign(byId('main').dataset, main.dataset);
    for (const id of PARTS) {
      const fresh = page.getElementById(id);
      if (fresh && byId(id)) byId(id).replaceChildren(...[...fresh.childNodes].map((node) => document.adoptNode(node)));
    }
    for (const select of document.querySelectorAll('#controls select')) {
      const fresh = page.getElementById(select.id);
      if (!fresh) continue;
      select.replaceChildren(...[...fresh.options].map((node) => document.adoptNode(node)));
      select.value = [...select.options].find((o) => o.hasAttribute('selected'))?.value ?? select.value;
    }
    const text = byId('c-text'), other = page.getElementById('c-text');
    if (other && (back || document.activeElement !== text)) text.value = other.value;
    document.documentElement.dataset.theme = page.documentElement.dataset.theme;
    const scheme = 'meta[name="color-scheme"]';
    document.querySelector(scheme).content = page.querySelector(scheme).content;
    if (step) document.querySelector(`.step[data-step="${step}"]`)?.focus();
    if (thumb >= 0) document.querySelectorAll('.thumb')[thumb]?.focus();
  }
}

function say(sentence) {
  byId('message').textContent = sentence;
  byId('message').hidden = !sentence;
}

function hidden(name, value) {
  const field = document.createElement('input');
  Object.assign(field, { type: 'hidden', name, value });
  return field;
}

/** urlOf is the page's address for what the form says. */
function urlOf(form) {
  const url = new URL(form.action, location.href);
  for (const [key, value] of new FormData(form)) url.searchParams.append(key, String(value).replace(/\r\n/g, '\n'));
  return url;
}

/** write connects the page. */
export function write() {
  const page = new Page(), form = byId('controls'), main = byId('written');
  let timer = 0, writing = false;
  const change = () => { clearTimeout(timer); writing = false; page.visit(urlOf(form), 'push'); };
  const typed = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      byId('hidden').replaceChildren(); // another text has other steps
      page.visit(urlOf(form), writing ? 'replace' : 'push');
      writing = true;
    }, REST);
  };
  form.addEventListener('submit', (event) => { event.preventDefault(); change(); });
  form.addEventListener('change', (event) => { if (event.target.id !== 'c-text') change(); });
  byId('c-text').addEventListener('input', (event) => { if (!event.isComposing) typed(); });
  byId('c-text').addEventListener('compositionend', typed);
  byId('c-text').addEventListener('blur', () => { writing = false; });
  byId('c-text').addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    change();
  });
  document.addEventListener('click', (event) => {
    const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    const step = event.target.closest('.step'), example = event.target.closest('a.enhance');
    if (plain && step) {
      event.preventDefault();
      page.go(Number(step.dataset.step), { push: true, focus: false });
    } else if (plain && example) {
      event.preventDefault();
      example.closest('details')?.removeAttribute('open');
      byId('c-text').blur();
      page.visit(page.here(example), 'push');
    }
    for (const menu of document.querySelectorAll('details.menu[open]')) if (!menu.contains(event.target)) menu.open = false;
  });
  addEventListener('popstate', () => page.visit(location.href, 'keep'));
  main.addEventListener('input', (event) => { if (event.target.closest('#slider')) page.go(Number(event.target.value), { push: false, focus: false }); });
  main.addEventListener('pointermove', (event) => {
    if (event.pointerType === 'touch') return;
    const view = page.of(event.target);
    page.hover(view, view?.cellAt(event.clientX, event.clientY));
  });
  main.addEventListener('pointerleave', () => page.hover(undefined));
  main.addEventListener('click', (event) => {
    const view = page.of(event.target);
    if (!view) return;
    page.hover(view, view.cellAt(event.clientX, event.clientY));
    if (page.at.step !== null) page.go(page.at.step + 1, { push: true, focus: false });
  });
  main.addEventListener('focusout', () => page.hover(undefined));
  document.addEventListener('keydown', (event) => key(event, page));
  page.fill().catch(() => {}).finally(() => { document.documentElement.dataset.ready = 'true'; });
}

const MOVES = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/** key walks through steps from their list, and through cells from a map. */
function key(event, page) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const menu = event.key === 'Escape' && event.target.closest?.('details.menu[open]');
  if (menu) {
    menu.open = false;
    menu.querySelector('summary').focus();
  }
  const onStep = event.target.closest?.('.step'), view = event.target.matches?.('.sheet') && page.of(event.target);
  const last = document.querySelectorAll('.step').length;
  const to = { ArrowLeft: page.step - 1, ArrowUp: page.step - 1, ArrowRight: page.step + 1, ArrowDown: page.step + 1, Home: 1, End: last }[event.key];
  if (onStep && to) {
    event.preventDefault();
    page.go(Math.min(last, Math.max(1, to)), { push: false, focus: true });
  } else if (view && MOVES[event.key]) {
    event.preventDefault();
    view.move(...MOVES[event.key]);
    page.hover(view, view.cell);
  } else if (view && event.key === 'Enter' && page.at?.step !== null && page.at) {
    page.go(page.at.step + 1, { push: true, focus: false });
  }
}
