// A page in an iframe. It reports its height, and answers the messages of the surrounding page.
// /embedding describes them.

import { byId } from './dom.js';
import { t } from './messages.js';

const MARK = 'attentionAtlas', VERSION = 1;
const EVENTS = ['change', 'pin', 'answer'];
const OWN = /^[a-z0-9.-]+\.(head|cut)$/; // parameters of one card

export const embedded = document.documentElement.dataset.embedded === 'true';

/** alone reports whether the iframe is in a sandbox. Then its requests fail, but it can navigate to another
 * URL. */
export const alone = embedded && self.origin === 'null';

/**
 * Parameters after # in the URL, which are passed on to the next URL: the secret by which WordPress
 * identifies its iframes and, if the iframe has its own origin, the listening page.
 */
const along = new URLSearchParams(location.hash.replace(/^#\??/, ''));
const secret = along.get('secret');

/** leave navigates to another URL, out of the page. */
export function leave(address) {
  along.set('left', '1');
  const url = new URL(address);
  url.hash = `?${along}`;
  window.open(url, '_self');
  return new Promise(() => {});
}

/** state returns the state of the page as URL parameters, always with text and mechanisms. */
function state() {
  const cards = [...document.querySelectorAll('.card')].map((card) => card.dataset.mechanism);
  return {
    text: byId('c-text').value,
    m: cards.join(','),
    ...Object.fromEntries(new URLSearchParams(location.search)),
  };
}

/** pin returns the pinned cell or row, with its words. */
function pin() {
  const [row, col] = new URLSearchParams(location.search).get('pin')?.replace(/-.*/, '').split('.').map(Number) ?? [];
  const word = (i) => document.querySelector(`.token[data-i="${i - 1}"]`)?.textContent;
  return row ? { row, col: col ?? null, words: [row, col].filter(Boolean).map(word) } : null;
}

/** complaint returns the error in a state sent by the surrounding page, or ''. */
function complaint(wanted) {
  if (!wanted || typeof wanted !== 'object' || Array.isArray(wanted))
    return t('script.embed.state', { example: '{"m": "dense,random", "layer": 2}' });
  const known = byId('main').dataset.keys.split(' '),
    plain = (one) => one === null || ['string', 'number', 'boolean'].includes(typeof one);
  for (const [key, value] of Object.entries(wanted)) {
    if (!known.includes(key) && !OWN.test(key)) return t('script.embed.key', { key, known: known.join(', ') });
    if (!plain(value) && !(Array.isArray(value) && value.every(plain))) return t('script.embed.value', { key });
  }
  return '';
}

/** written returns a value as in URLs; '' stands for the default. */
const written = (value) => (value === null || value === false ? '' : value === true ? '1' : String(value));

/** addressOf returns the URL of the page with some parameters changed. */
function addressOf(wanted) {
  const url = new URL(location.href);
  for (const [key, value] of Object.entries(wanted)) {
    if (written(value) === '' && key !== 'text') url.searchParams.delete(key);
    else url.searchParams.set(key, written(value));
  }
  return url;
}

export class Embedded {
  /** @param {import('./page.js').Page} page */
  constructor(page) {
    this.page = page;
    this.heard = new Map(EVENTS.map((event) => [event, along.get(event)])); // by event, the origin of the listener
    this.pin = '';
    addEventListener('message', (event) => { if (event.source === parent && event.data?.[MARK]) this.answer(event); });
    new ResizeObserver(() => this.grow(Math.ceil(document.body.getBoundingClientRect().height))).observe(document.body);
    if (secret) document.addEventListener('click', (event) => this.lead(event));
    this.blog('ready', '');
  }

  /** grow reports the height of the page. */
  grow(height) {
    this.post({ event: 'height', data: height }, '*');
    this.blog('height', height);
  }

  /** blog sends a message in the protocol of WordPress. */
  blog(message, value) {
    if (secret && parent !== window) parent.postMessage({ message, value, secret }, '*');
  }

  /** lead asks the surrounding page to follow a link, because the sandbox cannot open it. */
  lead(event) {
    const link = event.target.closest('a[href]:not(.enhance)');
    if (!link || event.defaultPrevented) return;
    event.preventDefault();
    this.blog('link', link.href);
  }

  /** post sends a message to the surrounding page. */
  post(message, origin) {
    if (parent !== window) parent.postMessage({ [MARK]: VERSION, ...message }, origin === 'null' ? '*' : origin);
  }

  /** say reports an event if there is a listener. */
  say(event, data) {
    const origin = this.heard.get(event);
    if (origin) this.post({ event, data: data() }, origin);
  }

  /** moved handles a change of the URL; answered handles new maps. */
  moved() {
    this.say('change', state);
    const at = new URLSearchParams(location.search).get('pin') ?? '';
    if (at !== this.pin) this.say('pin', pin);
    this.pin = at;
  }

  answered() {
    const words = () => [...document.querySelectorAll('.token')].map((one) => one.textContent);
    this.say('answer', () => ({ state: state(), words: words(), problem: problem() }));
    if (along.has('left')) this.moved();
    along.delete('left');
    if (!along.has('reply')) return; // to a call with this page as its result
    this.post({ id: along.get('reply'), ...(problem() ? { error: problem() } : { result: state() }) }, along.get('to'));
    along.delete('reply');
  }

  async answer({ data: { id, call, event, state: wanted }, origin }) {
    const reply = (part) => this.post({ id, ...part }, origin);
    if (alone && call === 'setState') for (const [key, value] of [['reply', id], ['to', origin]]) along.set(key, value);
    try {
      reply({ result: await this.do(call, call === 'setState' ? wanted : event, origin) });
    } catch (error) {
      reply({ error: error.message });
    }
    along.delete('reply');
  }

  do(call, what, origin) {
    const calls = {
      getState: () => state(),
      setState: () => this.show(what),
      on: () => this.listen(what, origin),
      off: () => this.listen(what, null),
    };
    if (!Object.hasOwn(calls, call))
      throw new Error(t('script.embed.call', { call: String(call), known: Object.keys(calls).join(', ') }));
    return calls[call]();
  }

  listen(event, origin) {
    if (!EVENTS.includes(event))
      throw new Error(t('script.embed.event', { event: String(event), known: EVENTS.join(', ') }));
    this.heard.set(event, origin);
    if (alone && origin) along.set(event, origin);
    else along.delete(event);
    return event;
  }

  async show(wanted) {
    const wrong = complaint(wanted);
    if (wrong) throw new Error(wrong);
    const turn = this.turn = {};
    await this.page.visit(addressOf(wanted), 'replace', true);
    if (this.turn !== turn) throw new Error(t('script.embed.later'));
    if (problem()) throw new Error(problem());
    return state();
  }
}

/** problem returns the error message of the page about its URL or its requests. */
const problem = () => byId('message').hidden ? byId('problem').textContent.trim() : byId('message').textContent;
