// Maps of long texts: the server reads the text, while the page shows the progress. Then the canvas shows a part of the
// map of a head.

import { Tiles, low } from './tiles.js';
import { Save } from './save.js';
import { Viewer } from './tileview.js';
import { byId, el, word, renew } from '../js/dom.js';
import { number } from '../js/format.js';
import { t, parts } from '../js/messages.js';

const AGAIN = 500; // milliseconds until the progress is asked for again
const root = byId('long');
const dark = matchMedia('(prefers-color-scheme: dark)');

let viewer, save, data; // data: the server's last answer about the text and the head
let turn = 0; // number of the latest question
let reading = 0; // number of the latest wait for the server; 0: none yet
let next = 0; // index of the next far link

const layer = () => document.querySelector('#long-viewer select[name=layer]');
const head = () => document.querySelector('#long-viewer select[name=head]');

/** numbers requests the numbers of the text from the server, with additional parameters. */
async function numbers(more = {}) {
  const url = new URL(root.dataset.numbers, document.baseURI);
  for (const [key, value] of Object.entries({ layer: layer().value, head: head().value, ...more }))
    url.searchParams.set(key, value);
  const response = await fetch(url, { headers: { Accept: 'application/json' } });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.detail || t('script.page.status', { status: response.status }));
  return answer;
}

/** status shows a sentence, and the button to cancel or to go on. */
function status(says, button = '') {
  byId('long-status').textContent = says;
  byId('long-cancel').hidden = !button;
  byId('long-cancel').textContent = button && t(`script.long.${button}`);
  byId('long-progress').hidden = button !== 'cancel';
}

/** read asks until the server has read the text. */
async function read() {
  const mine = ++reading;
  byId('long-progress').removeAttribute('value');
  status(t('script.long.waiting'), 'cancel');
  try {
    for (;;) {
      const answer = await numbers();
      if (mine !== reading) return;
      if (answer.levels) return begin(answer);
      Object.assign(byId('long-progress'), { max: answer.layers, value: answer.read });
      if (answer.read) status(t('script.long.reading', { layer: answer.read, layers: answer.layers }), 'cancel');
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
      if (mine !== reading) return;
    }
  } catch (error) {
    if (mine === reading) status(error.message, 'again');
  }
}

/** begin shows the map. */
function begin(answer) {
  status('');
  byId('long-viewer').hidden = false;
  const fill = (select, most) => {
    const chosen = Math.min(Number(select.value), most); // some models repeat a layer more or less often
    select.replaceChildren(...Array.from({ length: most }, (_, i) => new Option(String(i + 1))));
    select.value = String(chosen);
  };
  fill(layer(), answer.layers);
  fill(head(), answer.heads);
  const again = Boolean(viewer); // the server had forgotten the text
  save ??= new Save(figure);
  viewer ??= new Viewer(byId('long-map'), answer.tokens, { pin, point: says, moved: (to) => save.follow(to) });
  show(answer);
  if (again) return;
  const [row, col] = (new URL(location.href).searchParams.get('pin') ?? '').split('.').map(Number);
  if (row && col && row <= viewer.n && col <= viewer.n) {
    viewer.jump(row - 1, col - 1);
    pin({ row: row - 1, col: col - 1 });
  }
}

/** figure returns the parameters of a figure of the head. */
function figure() {
  const search = new URL(root.dataset.numbers, document.baseURI).searchParams;
  search.set('layer', data.layer);
  search.set('head', data.head);
  return search;
}

/** show shows the map of a head. */
function show(answer) {
  data = answer;
  next = 0;
  const shares = data.kind === 'probability';
  byId('long-low').textContent = number(shares ? low(answer.tokens.length) : 0);
  byId('long-high').textContent = number(shares ? 1 : data.most);
  byId('long-scale').textContent = t(`script.long.${shares ? 'logarithmic' : 'linear'}`);
  byId('long-far').disabled = !data.links.length;
  colour();
  list('long-links', data.links, (link) => entry('link', link, () => go(link)));
}

/** colour fetches the tiles for the colours of the theme. */
function colour() {
  const named = document.documentElement.dataset.theme, theme = ['light', 'dark'].includes(named) ? named
    : dark.matches ? 'dark' : 'light';
  viewer.tiles?.end();
  const url = (level, row, col) => {
    const at = new URL(root.dataset.tiles, document.baseURI), { key } = data;
    at.search = String(new URLSearchParams({ key, layer: data.layer, head: data.head, level: level + 1, row: row + 1,
      col: col + 1 }));
    return at;
  };
  viewer.tiles = new Tiles({ n: viewer.n, levels: data.levels, url,
    changed: () => { viewer.draw(); says(viewer.at ?? viewer.pinned); },
    failed: () => { viewer.tiles?.end(); setTimeout(read, AGAIN); } },
  { palette: 'cividis', theme, most: data.kind === 'probability' ? 0 : data.most });
  viewer.draw();
}

/** says describes a cell, or the cells that share a pixel. */
function says(at) {
  const box = byId('long-cell');
  if (!at || !viewer.tiles) return void (box.textContent = t('script.long.point'));
  const { tiles, view, ratio, n } = viewer, level = tiles.levelOf(view.scale * ratio), side = 2 ** level;
  const value = tiles.value(level, at.row, at.col), first = (i) => (i >> level) * side + 1;
  const last = (i) => Math.min(n, first(i) + side - 1);
  const weight = value === null ? '…' : number(value);
  renew(box, level ? said(['block', 'values'], { rowFrom: first(at.row), rowTo: last(at.row),
    columnFrom: first(at.col), columnTo: last(at.col), weight }) : said(['cell', 'value'], { query: name(at.row),
    row: at.row + 1, key: name(at.col), column: at.col + 1, weight }));
}

/** said returns the first sentence for weights of attention, and the second for other numbers. */
const said = ([weight, other], args) => parts(`script.long.${data.kind === 'probability' ? weight : other}`, args);

const name = (i) => word('long-token', viewer.tokens[i]);

/** list fills one of the lists, and hides it if it is empty. */
function list(id, all, make) {
  byId(id).hidden = !all?.length;
  byId(id).querySelector('ol').replaceChildren(...(all ?? []).map((one) => el('li', {}, make(one))));
}

/** entry is a button with a text about a link. */
function entry(kind, link, act) {
  const made = el('button', { type: 'button', className: 'quiet', onclick: act });
  made.append(...parts(`script.long.${kind}`, { query: name(link.query - 1), row: link.query, key: name(link.key - 1),
    column: link.key, layer: link.layer, head: link.head, weight: number(link.weight) }));
  return made;
}

/** go shows the cell of a link, and selects it. */
function go(link) {
  viewer.jump(link.query - 1, link.key - 1);
  pin({ row: link.query - 1, col: link.key - 1 });
}

/** renewHead shows the head that the controls name. */
async function renewHead() {
  const mine = ++turn;
  remember();
  try {
    const answer = await numbers(asking());
    if (mine !== turn) return;
    if (!answer.levels) return read();
    show(answer);
    readers(answer);
    found(answer);
  } catch (error) {
    if (mine === turn) status(error.message, 'again');
  }
}

/** asking returns the parameters for the selected cell and the searched word. */
function asking() {
  const find = byId('long-find').elements.find.value.trim(), at = viewer.pinned;
  return { ...(at && { pin: `${at.row + 1}.${at.col + 1}` }), ...(find && { find }) };
}

/** pin selects a cell, and lists the heads in which its weight is largest. */
function pin(at) {
  viewer.pinned = at;
  viewer.draw();
  says(at);
  if (at) ask(readers);
  else {
    remember();
    byId('long-readers').hidden = true;
  }
}

/** ask asks for the lists of the selected cell and the searched word. */
async function ask(fill) {
  const mine = ++turn;
  remember();
  try {
    const answer = await numbers(asking());
    if (mine === turn) fill(answer);
  } catch (error) {
    if (mine === turn) status(error.message, 'again');
  }
}

function readers(answer) {
  const at = viewer.pinned;
  if (at) renew(byId('long-readers').querySelector('h2'), said(['readers', 'largest'], {
    query: name(at.row), row: at.row + 1, key: name(at.col), column: at.col + 1 }));
  list('long-readers', at && answer.readers, (link) => entry('reader', link, () => {
    [layer().value, head().value] = [link.layer, link.head].map(String);
    renewHead();
  }));
}

function found(answer) {
  viewer.found = answer.found ?? [];
  const searched = Boolean(asking().find);
  byId('long-found').querySelector('h2').textContent = t('script.long.found', { count: viewer.found.length });
  list('long-found', viewer.found, ({ from, to, link }) => (link.weight ? entry('place', link, () => go(link))
    : el('button', { type: 'button', className: 'quiet', onclick: () => viewer.jump(from - 1, to - 1) },
      t('script.long.nowhere', { column: from }))));
  byId('long-found').hidden = !searched;
  viewer.draw();
}

/** remember puts layer, head and selected cell into the address. */
function remember() {
  const url = new URL(location.href), at = viewer.pinned;
  url.searchParams.set('layer', layer().value);
  url.searchParams.set('head', head().value);
  if (at) url.searchParams.set('pin', `${at.row + 1}.${at.col + 1}`);
  else url.searchParams.delete('pin');
  history.replaceState(null, '', url);
}

function connect() {
  root.hidden = false;
  byId('long-cancel').addEventListener('click', () => {
    if (byId('long-progress').hidden) return read();
    reading++;
    status(t('script.long.cancelled'), 'again');
  });
  for (const select of [layer(), head()]) select.addEventListener('change', renewHead);
  byId('long-find').addEventListener('submit', (event) => {
    event.preventDefault();
    ask((answer) => {
      found(answer);
      const best = viewer.found.map((f) => f.link).sort((a, b) => b.weight - a.weight)[0];
      if (best?.weight) go(best);
    });
  });
  byId('long-far').addEventListener('click', () => {
    if (data.links.length) go(data.links[next++ % data.links.length]);
  });
  root.querySelector('.long-zoom').addEventListener('click', ({ target }) => {
    const zoom = target.closest('button')?.dataset.zoom;
    if (zoom === 'all') viewer.whole();
    else if (zoom) viewer.zoom(zoom === 'in' ? 2 : 1 / 2);
  });
  dark.addEventListener('change', () => { if (viewer?.tiles) colour(); });
  read();
}

if (root) connect();
