// The maps: one response of /api/v1/drawing for each state of the page. The numbers do not depend
// on normalisation and filter, so they are fetched once.

import { t } from './messages.js';

/**
 * @typedef {object} Plane the cells of a map, row by row
 * @property {number} rows
 * @property {number} cols
 * @property {'palette'|'diverging'|'categorical'} table
 * @property {Uint8Array} index entry of the table per cell
 * @property {Uint8Array} classes class per cell, as figure.Class
 * @property {Float32Array} values
 */

/**
 * @typedef {object} Drawing a map, or several of one size behind each other
 * @property {string} name
 * @property {string} kind
 * @property {string} form
 * @property {number} rows
 * @property {number} cols
 * @property {{role: string, title?: string, words?: boolean, labels?: string[]}[]} axes
 * @property {string} [by]
 * @property {string[]} [names] of classes
 * @property {Plane[]} planes
 */

/** @typedef {Map<string, Map<string, Drawing>>} Answer drawings by mechanism and name */

const KEEP = 32;
/** @type {Map<string, Map<string, Answer>>} answers by their addresses, by those without normalisation and filter */
const kept = new Map();
let numbers = { state: '', answer: new Map() }; // of the last response with an error

/** stateOf returns a URL without the parameters that do not affect the numbers. */
function stateOf(address) {
  const url = new URL(address, location.href);
  for (const key of ['norm', 'sinks', 'mass', 'top']) url.searchParams.delete(key);
  return String(url);
}

/** known reports whether a response is in the cache. */
export function known(url) {
  return Boolean(kept.get(stateOf(url))?.has(url));
}

/** carried returns the response embedded in a page, for pages in an iframe that cannot request it. */
export const carried = (page) => JSON.parse(page.getElementById('drawn')?.textContent ?? 'null');

/**
 * load returns the response for a URL, from the cache, from the page, or from the server.
 * @param {string} url
 * @param {AbortSignal} [signal]
 * @param {?object} [there]
 * @returns {Promise<Answer>}
 */
export async function load(url, signal, there) {
  const state = stateOf(url);
  if (!known(url)) {
    const [like] = kept.get(state)?.values() ?? (numbers.state === state ? [numbers.answer] : []);
    const body = there ?? await ask(like ? `${url}&values=0` : url, signal);
    const answer = like && !covers(like, body) ? read(await ask(url, signal)) : read(body, like);
    if (body.mechanisms.some((one) => one.error)) { // can succeed later
      numbers = { state, answer };
      return answer;
    }
    kept.set(state, (kept.get(state) ?? new Map()).set(url, answer));
  }
  const answers = kept.get(state);
  kept.delete(state); // the most recently used one stays longest
  kept.set(state, answers);
  if (kept.size > KEEP) kept.delete(kept.keys().next().value);
  return answers.get(url);
}

/** covers reports whether a response has the numbers of all maps in another one. */
function covers(like, { mechanisms }) {
  return mechanisms.every(({ id, maps = [] }) =>
    maps.every(({ name, planes: all }) => like.get(id)?.get(name)?.planes.length === all.length),
  );
}

/** Silence is the error of a server that does not respond. */
export class Silence extends Error {}

/** reach requests a response of a media type. */
export function reach(url, signal, type, headers = {}) {
  return fetch(url, { signal, headers: { Accept: type, ...headers } }).catch((error) => {
    throw error.name === 'AbortError' ? error : new Silence();
  });
}

async function ask(url, signal) {
  const response = await reach(url, signal, 'application/json');
  const body = await response.json().catch(() => null);
  if (!body || !Array.isArray(body.mechanisms))
    throw new Error(body?.detail || t('script.drawing.status', { status: response.status }));
  return body;
}

/**
 * read decodes a response. If it has no numbers, it takes those of another response.
 * @returns {Answer}
 */
function read(body, like) { return planes(body.mechanisms, like); }

/** planes decodes the maps of mechanisms. */
export function planes(mechanisms, like) {
  const drawing = (id, map) => {
    const same = like?.get(id)?.get(map.name);
    return { ...map, planes: map.planes.map((one, i) => plane(map, one, same?.planes[i])) };
  };
  return new Map(mechanisms.map(({ id, maps = [] }) => [id, new Map(maps.map((map) => [map.name, drawing(id, map)]))]));
}

/** plane decodes cells on first use, because most maps of a page with many cards are never visible. */
function plane({ rows, cols }, { table, cells, classes, values }, like) {
  const once = (name, get) => ({
    configurable: true,
    get() {
      Object.defineProperty(this, name, { value: get() });
      return this[name];
    },
  });
  return Object.defineProperties({ rows, cols, table }, {
    index: once('index', () => bytes(cells)),
    classes: once('classes', () => (classes ? Uint8Array.from(classes) : new Uint8Array(rows * cols))),
    values: once('values', () => (values ? new Float32Array(bytes(values).buffer) : like?.values)),
  });
}

function bytes(base64) {
  return Uint8Array.fromBase64?.(base64) ?? Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
}
