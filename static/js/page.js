// From one state of the page to the next: fetches the page of a URL, takes over its parts, and
// keeps focus, caret and history. The server decides what a page shows.

import { load, known, carried, reach, Silence } from './data.js';
import { isLook, chosen, plain, dress, dressAs, watch } from './look.js';
import { kept, pinned, connect as follow } from './kept.js';
import { asking, keep, unfold, connect } from './fold.js';
import { having, complete, stay } from './reuse.js';
import { morph } from './morph.js';
import { byId, keepFocus } from './dom.js';
import { urlOf, emptied } from './form.js';
import { embedded, alone, leave } from './embedded.js';
import { wait, arrived } from './wait.js';
import { t } from './messages.js';

const REST = { least: 40, most: 200 }; // ms from the last keystroke to sending: as the last response took
const here = () => location.pathname + location.search; // without its hash

/** failure returns the error message for a page or for drawings. */
const failure = (of, error) =>
  error instanceof Silence ? t(`script.${of}.silent`) : t(`script.${of}.failed`, { why: error.message });

/**
 * @typedef {object} Host the content of a page
 * @property {(answer: import('./data.js').Answer) => void} fill reads the state of the page after an update
 * @property {() => void} repaint
 * @property {() => void} [moved] after a change of the URL
 * @property {() => void} [typed] before another text is sent
 * @property {(url: URL|string) => void} [leave] before a page is requested
 * @property {() => void} [stay] after it has arrived, or failed
 */

export class Page {
  /** @param {Host} host */
  constructor(host) {
    this.host = host;
    this.form = byId('controls');
    this.request = new AbortController();
    this.timer = 0;
    this.took = REST.most; // milliseconds, the last response
    this.step = null; // of the history, during typing: whether it exists
    this.shown = here();
    this.pin = pinned(); // of the page when it was loaded, as in its links
    watch(() => host.repaint());
    this.listen();
  }

  listen() {
    const { form } = this, texts = [byId('c-text'), byId('c-other')].filter(Boolean);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (!event.submitter?.matches('.hide') && !emptied()) this.change();
    });
    form.addEventListener('change', ({ target }) => {
      if (isLook(target) && !this.timer && !this.busy()) this.recolour(chosen(here(), target), 'push');
      else if (!texts.includes(target)) this.change();
    });
    for (const text of texts) this.follow(text);
    document.addEventListener('click', (event) => this.click(event));
    document.addEventListener('keydown', (event) => { if (event.key === 'Escape') closeMenu(); });
    addEventListener('popstate', () => this.back());
    connect();
    follow(() => this.pin);
  }

  /** follow handles typing into a text field. */
  follow(text) {
    text.addEventListener('input', (event) => { if (!event.isComposing) this.type(); });
    text.addEventListener('compositionend', () => this.type());
    text.addEventListener('blur', () => { this.step = null; });
    text.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      if (!emptied()) this.change();
    });
  }

  /** busy reports whether a page is loading. */
  busy() { return this.form.hasAttribute('aria-busy'); }

  /** stop keeps the page and cancels all requests. */
  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.request.abort();
    this.say(t('script.page.stopped'));
  }

  /** change handles a control at once. type waits for a pause, and makes one step of the history. */
  change() {
    this.step = null;
    if (this.timer) this.host.typed?.();
    this.visit(urlOf(this.form), 'push', false);
  }

  type() {
    clearTimeout(this.timer);
    if (emptied()) {
      this.timer = 0;
      this.request.abort();
      return;
    }
    this.timer = setTimeout(() => {
      this.host.typed?.();
      const step = this.step ??= { made: false }; // unless another letter was faster than the page
      this.visit(urlOf(this.form), step.made ? 'replace' : 'push', false).then((shown) => { step.made ||= shown; });
    }, Math.min(REST.most, Math.max(REST.least, this.took)));
  }

  click(event) {
    const link = event.target.closest('a.enhance');
    if (link && event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      link.closest('details:not(#mechanisms)')?.removeAttribute('open');
      this.visit(kept(link, this.pin), link.dataset.history || 'push', true);
    }
    for (const menu of document.querySelectorAll('details.menu[open]'))
      if (!menu.contains(event.target)) menu.open = false;
  }

  back() {
    if (here() === this.shown && location.hash) return;
    this.step = null;
    if (plain(here()) === plain(this.shown) && here() !== this.shown) this.recolour(here(), 'keep');
    else this.visit(location.href, 'keep', true);
  }

  /** recolour shows the current page in the colours of a URL. */
  recolour(address, mode) {
    this.request.abort();
    this.go(address, mode);
    dress(address);
    this.host.repaint();
  }

  /** go changes the URL of the page. mode: 'push', 'replace' or 'keep'. */
  go(address, mode) {
    this.place(address, mode);
    this.host.moved?.();
  }

  place(address, mode) {
    if (mode === 'push' && !embedded) history.pushState(null, '', address);
    else history.replaceState(null, '', address);
    this.shown = here();
  }

  say(sentence) {
    Object.assign(byId('message'), { textContent: sentence || '', hidden: !sentence });
  }

  /** first takes over the page as sent by the server. */
  async first() {
    const { answer, complaint } = await drawings(byId('main'));
    this.host.fill(answer);
    this.say(complaint);
    document.documentElement.dataset.ready = 'true';
  }

  /**
   * visit shows a URL, and reports whether it did.
   * @param {URL|string} url
   * @param {'push'|'replace'|'keep'} mode of the history
   * @param {boolean} text whether to update the text field
   */
  async visit(url, mode, text) {
    clearTimeout(this.timer);
    this.timer = 0;
    this.request.abort();
    this.request = new AbortController();
    const { signal } = this.request, began = performance.now();
    let shown = false;
    wait(this.form);
    this.host.leave?.(url);
    try {
      const { page, answer, complaint } = await get(url, signal);
      if (signal.aborted) return false;
      this.place(permalink(page, url), mode); // first, because the history stores the scroll position
      this.pin = pinned();
      shown = true;
      const restore = apply(page, answer, text);
      emptied();
      this.host.fill(answer);
      this.host.moved?.();
      restore();
      unfold();
      this.say(complaint);
      this.took = performance.now() - began;
    } catch (error) {
      if (alone && error instanceof Silence) await leave(new URL(url, location.href)); // it can show, not read it
      else if (error.name !== 'AbortError') this.say(failure('page', error));
    } finally {
      if (this.request.signal === signal) {
        arrived(this.form);
        this.host.stay?.();
      }
    }
    return shown;
  }
}

/** get fetches a page and its drawings. Without drawings it fetches the page with pictures. */
async function get(url, signal) {
  const got = await part(url, signal, { ...asking(), ...having() });
  if (got.complaint) return { ...await part(url, signal), complaint: got.complaint };
  return complete(got.page) ? got : part(url, signal, asking());
}

async function part(url, signal, headers) {
  const response = await reach(url, signal, 'text/html', headers);
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const main = page.querySelector('main[data-src]');
  if (!main)
    throw new Error(
      page.querySelector('.failure-detail')?.textContent || t('script.page.status', { status: response.status }),
    );
  const [drawn] = await Promise.all([
    drawings(main, signal),
    ...shelves(page).map(([, fresh]) => load(fresh.dataset.src, signal).catch(() => null)),
  ]);
  return { page, ...drawn };
}

/** shelves matches the open folds with those of another page. */
function shelves(page) {
  const open = [...document.querySelectorAll('details.more[open]')].map((old) => [old, page.getElementById(old.id)]);
  return open.filter(([, fresh]) => fresh);
}

/** drawings loads the data of a page's maps. Without it the server's pictures stay. */
async function drawings(main, signal) {
  const none = { answer: new Map(), complaint: null };
  if (!main.dataset.src || !main.querySelector('.map, .view, [data-same]')) return none;
  try {
    return { answer: await load(main.dataset.src, signal, carried(main.ownerDocument)), complaint: null };
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    return { ...none, complaint: failure('drawing', error) };
  }
}

/**
 * apply takes over the parts of another page.
 * @param {Document} page
 * @param {import('./data.js').Answer} answer
 * @param {boolean} text whether to update the text field
 * @returns {() => void} restores the focus, when the maps can take it again
 */
function apply(page, answer, text) {
  const restore = keepFocus();
  keep(page);
  stay(page);
  for (const box of page.querySelectorAll('.map, .strip, .view, .second-map, .heads-sheet')) {
    const id = box.closest('[data-mechanism]').dataset.mechanism, source = box.closest('.more')?.dataset.src;
    const drawn = source ? known(source) : answer.get(id)?.has(box.dataset.map);
    if (drawn) for (const picture of box.querySelectorAll('picture')) picture.remove(); // not to be requested
  }
  for (const old of document.querySelectorAll('[data-part]')) {
    const fresh = page.getElementById(old.id);
    if (fresh) morph(old, fresh);
  }
  for (const old of byId('controls').querySelectorAll('select')) select(old, page.getElementById(old.id));
  for (const box of document.querySelectorAll('#c-mechanisms input')) {
    box.checked = Boolean(page.querySelector(`#c-mechanisms input[value="${CSS.escape(box.value)}"]`)?.checked);
  }
  for (const id of text ? ['c-text', 'c-other'] : []) {
    const box = byId(id), other = page.getElementById(id);
    if (other && box.value !== other.value) box.value = other.value;
  }
  Object.assign(byId('main').dataset, page.getElementById('main').dataset);
  document.title = page.title;
  dressAs(page);
  const line = document.querySelector('.permalink');
  if (line) line.textContent = page.querySelector('.permalink')?.textContent ?? line.textContent;
  return restore;
}

function select(old, fresh) {
  if (!fresh) return;
  const list = (el) => [...el.options].map((o) => `${o.value}\u0000${o.text}`).join('\u0001');
  if (list(old) !== list(fresh))
    old.replaceChildren(...[...fresh.options].map((node) => document.adoptNode(node.cloneNode(true))));
  old.value = fresh.value;
}

/** permalink returns the short URL of the current page, or of the URL. */
function permalink(page, url) {
  const link = page.getElementById('main').dataset.permalink;
  if (!link) return String(url);
  const short = new URL(link, location.href);
  return short.pathname + short.search;
}

function closeMenu() {
  const menu = document.querySelector('details.menu[open]');
  if (!menu) return;
  menu.open = false;
  menu.querySelector('summary').focus();
}
