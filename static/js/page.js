// From one state of the page to the next: fetch the page of a URL, take its
// parts over, keep focus and caret. The server decides what a page shows.

import { load, known } from './data.js';

const byId = (id) => document.getElementById(id);
const PARTS = ['status', 'tokens', 'strip-hint', 'problem', 'switcher', 'cards', 'hidden', 'chosen', 'example-list', 'neighbours', 'costs', 'downloads', 'depth'];
const SELECTS = ['c-show', 'c-layer', 'c-head', 'c-norm', 'c-scale', 'c-mask', 'c-theme'];

/** urlOf is the page's address for what the form says. */
export function urlOf(form) {
  const url = new URL(form.action, location.href);
  const chosen = [];
  const menu = form.querySelector('#c-mechanisms input')?.name;
  for (const [key, value] of new FormData(form)) {
    if (key === menu) chosen.push(value);
    else url.searchParams.append(key, String(value).replace(/\r\n/g, '\n'));
  }
  if (chosen.length) url.searchParams.append(menu, chosen.join(','));
  return url;
}

/**
 * @typedef {object} Next
 * @property {Document} page
 * @property {import('./data.js').Answer} answer empty when there are no numbers
 * @property {string|null} complaint why there are none
 */

/**
 * get fetches a page and its numbers.
 * @param {URL|string} url
 * @param {AbortSignal} signal
 * @returns {Promise<Next>}
 */
export async function get(url, signal) {
  const response = await fetch(url, { signal, headers: { Accept: 'text/html' } });
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const main = page.querySelector('main.wall');
  if (!main) throw new Error(page.querySelector('.failure-detail')?.textContent || `The server answered with status ${response.status}.`);
  const [next] = await Promise.all([numbers(main, signal), ...shelves(page).map(([, fresh]) => load(fresh.dataset.src, signal).catch(() => null))]);
  return { page, ...next };
}

/** shelves pairs those that are open now with the same of another page. */
function shelves(page) {
  const open = [...document.querySelectorAll('details.more[open]')].map((old) => [old, page.getElementById(old.id)]);
  return open.filter(([, fresh]) => fresh);
}

/** numbers loads what a page's maps show; without it the server's images stay. */
export async function numbers(main, signal) {
  if (!main.dataset.src || !main.querySelector('.map')) return { answer: new Map(), complaint: null };
  try {
    return { answer: await load(main.dataset.src, signal), complaint: null };
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    return { answer: new Map(), complaint: `The numbers could not be loaded (${error.message}). The maps are the server’s images.` };
  }
}

/**
 * apply takes the parts of another page over.
 * @param {Next} next
 * @param {{text: boolean}} take whether the text box is to follow
 * @returns {() => void} gives the focus back, when the maps can take it again
 */
export function apply({ page, answer }, take) {
  const focused = document.activeElement?.id;
  for (const open of document.querySelectorAll('#cards details[open]')) page.getElementById(open.id)?.setAttribute('open', '');
  for (const map of page.querySelectorAll('.map, .strip')) {
    const id = map.closest('.card').dataset.mechanism;
    if (answer.get(id)?.has(map.dataset.map)) map.querySelector('picture')?.remove(); // do not ask for images that canvases replace
  }
  for (const [, fresh] of shelves(page)) {
    fresh.open = true;
    if (known(fresh.dataset.src)) for (const image of fresh.querySelectorAll('picture')) image.remove();
  }
  for (const id of PARTS) part(byId(id), page.getElementById(id));
  for (const id of SELECTS) select(byId(id), page.getElementById(id));
  for (const box of document.querySelectorAll('#c-mechanisms input')) {
    box.checked = Boolean(page.querySelector(`#c-mechanisms input[value="${CSS.escape(box.value)}"]`)?.checked);
  }
  const text = byId('c-text'), other = page.getElementById('c-text');
  if (take.text && text && other && text.value !== other.value) text.value = other.value;
  const main = byId('main'), source = page.getElementById('main');
  Object.assign(main.dataset, source.dataset);
  document.title = page.title;
  document.documentElement.dataset.theme = page.documentElement.dataset.theme;
  const scheme = 'meta[name="color-scheme"]';
  document.querySelector(scheme).content = page.querySelector(scheme).content;
  const line = document.querySelector('.permalink'), newLine = page.querySelector('.permalink');
  if (line && newLine) line.textContent = newLine.textContent;
  return () => {
    if (focused && document.activeElement?.id !== focused) byId(focused)?.focus({ preventScroll: true });
  };
}

function part(old, fresh) {
  if (!old || !fresh) return;
  Object.assign(old.dataset, fresh.dataset);
  old.replaceChildren(...[...fresh.childNodes].map((node) => document.adoptNode(node)));
}

function select(old, fresh) {
  if (!old || !fresh) return;
  const list = (el) => [...el.options].map((o) => `${o.value}\u0000${o.text}`).join('\u0001');
  if (list(old) !== list(fresh)) old.replaceChildren(...[...fresh.options].map((node) => document.adoptNode(node.cloneNode(true))));
  old.value = fresh.value;
}

/** permalink is the short address of the page as shown, or of the URL. */
export function permalink(page, url) {
  const link = page.getElementById('main')?.dataset.permalink;
  if (!link) return String(url);
  const short = new URL(link, location.href);
  return short.pathname + short.search;
}
