// Colour map and theme, which the browser changes by itself. Maps are repainted, the URLs in the
// page follow, and nothing is fetched.

import { byId, el } from './dom.js';
import { altered } from './reuse.js';

const KEYS = ['cmap', 'theme'];
const SCHEME = { light: 'light', dark: 'dark' };
// CARRYING matches links to pages that take the theme and the colour map from their URLs.
const CARRYING = new RegExp(
  String.raw`^(\.\.?/)+(m/|gallery|compare|results|export/|take/|explain\?|steps\?|desk\?|match\?|heads\?|plane\?|` +
    String.raw`long\?|hashing\?|pondering\?|reversing\?|\?|$)`,
);
const dark = matchMedia('(prefers-color-scheme: dark)');
const controls = () => byId('controls').elements;
let paper = false; // between beforeprint and afterprint

/** printing reports whether the page is being printed: on white paper, in the light theme. */
export const printing = () => paper;

/**
 * look returns the current settings for painting maps.
 * @returns {{palette: string, theme: 'light'|'dark', ratio: number}} ratio: device pixels per CSS pixel
 */
export function look() {
  const named = SCHEME[document.documentElement.dataset.theme];
  const theme = paper ? 'light' : named || (dark.matches ? 'dark' : 'light');
  return { palette: controls().cmap.value, theme, ratio: Math.max(1, Math.round(window.devicePixelRatio || 1)) };
}

/** watch calls repaint when the system's theme changes, and before and after printing. */
export function watch(repaint) {
  dark.addEventListener('change', repaint);
  addEventListener('beforeprint', () => { paper = true; repaint(); });
  addEventListener('afterprint', () => { paper = false; repaint(); });
}

/** isLook reports whether a control affects only colours. */
export const isLook = (control) => KEYS.includes(control.name);

/**
 * put sets or removes one parameter of a URL. It keeps the form of the server's URLs, sorted by key.
 * @param {string} address
 * @param {string} key
 * @param {string} value empty: none
 */
export function put(address, key, value) {
  const [rest, hash = ''] = address.split(/(?=#)/), [path, ...query] = rest.split('?');
  const keyOf = (pair) => pair.split('=')[0];
  const pairs = query.join('?').split('&').filter((pair) => pair && keyOf(pair) !== key);
  if (value) pairs.push(`${key}=${encodeURIComponent(value)}`);
  pairs.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : Number(keyOf(a) > keyOf(b))));
  return path + (pairs.length ? `?${pairs.join('&')}` : '') + hash;
}

/** plain returns a URL without colours. If two URLs are equal without colours, they need the same data. */
export const plain = (address) => KEYS.reduce((left, key) => put(left, key, ''), address);

/** chosen returns the URL of a page with the colours of a control. */
export function chosen(address, control) {
  return put(address, control.name, control.value === control.options[0].value ? '' : control.value);
}

/** dress applies the colours of a URL to the page: controls, legends, and all URLs that contain them. */
export function dress(address) {
  const asked = new URL(address, location.href).searchParams;
  const select = (key) => {
    const control = controls()[key];
    control.value = asked.get(key);
    if (control.selectedIndex < 0) control.selectedIndex = 0;
    return control;
  };
  const [cmap, theme] = KEYS.map(select);
  const carry = (link) => chosen(chosen(link, cmap), theme);
  document.documentElement.dataset.theme = theme.value;
  document.querySelector('meta[name="color-scheme"]').content = SCHEME[theme.value] || 'light dark';
  for (const bar of document.querySelectorAll('.bar:not(.bar-diverging, .bar-categorical)'))
    bar.className = `bar bar-${cmap.value}`;
  for (const link of document.querySelectorAll(
    'main a[href^="."], .masthead nav a[href^="."], #directory a, #crumbs a',
  )) {
    const href = link.getAttribute('href');
    if (link.closest('.masthead, #directory, #crumbs') || CARRYING.test(href)) link.setAttribute('href', carry(href));
  }
  for (const card of document.querySelectorAll('[data-explain]')) {
    for (const key of ['explain', 'steps']) if (card.dataset[key]) card.dataset[key] = carry(card.dataset[key]);
    altered(card);
  }
  for (const picture of document.querySelectorAll('main picture')) repicture(picture, cmap, theme.value);
  const main = byId('main'), line = document.querySelector('.permalink');
  if (main.dataset.permalink) main.dataset.permalink = carry(main.dataset.permalink);
  if (line) line.textContent = carry(line.textContent);
}

/** dressAs takes over the theme and size of another page if they differ, because a change recomputes all
 * styles. */
export function dressAs(page) {
  const scheme = 'meta[name="color-scheme"]', [old, fresh] = [document, page].map((one) => one.querySelector(scheme));
  if (old.content !== fresh.content) old.content = fresh.content;
  const now = document.documentElement.dataset;
  for (const [key, value] of Object.entries(page.documentElement.dataset)) if (now[key] !== value) now[key] = value;
}

/** followRow makes the figures with arcs show another row; null: the widest arc of each row. */
export function followRow(row) {
  for (const link of document.querySelectorAll('main a[href*="draw=arcs"]')) {
    const href = link.getAttribute('href');
    if (!/\/(export|take)\//.test(href)) continue;
    link.setAttribute('href', put(href, 'pin', row === null ? '' : String(row + 1)));
    altered(link);
  }
}

/** repicture changes the colours of a picture: for one theme, or for both if the system decides. */
function repicture(picture, cmap, theme) {
  const image = picture.querySelector('img'), url = chosen(image.getAttribute('src'), cmap);
  picture.querySelector('source')?.remove();
  if (!SCHEME[theme])
    picture.prepend(el('source', { media: '(prefers-color-scheme: dark)', srcset: put(url, 'theme', 'dark') }));
  image.setAttribute('src', put(url, 'theme', SCHEME[theme] || 'light'));
}
