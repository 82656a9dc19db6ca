// Slow measurements. Cards without their measurement are requested here, the cheapest first. A card
// that still shows attention says so while its influence is loading.

import { load } from './data.js';
import { morph } from './morph.js';
import { Progress, patiently, refusal } from './patience.js';
import { byId } from './dom.js';
import { t } from './messages.js';

const TOGETHER = 2; // cards requested at once; a visitor with many cards waits as long as one with few

/** @typedef {import('./data.js').Answer} Answer */

export class Influence {
  /**
   * @param {(answer: Answer) => void} show updates the page with another card
   * @param {() => Promise<void>} compare shows the comparison of both maps when both are measured
   */
  constructor(show, compare) {
    Object.assign(this, { show, compare });
    this.comparing = false;
    this.asking = new AbortController();
    /** @type {Answer} drawings of the page */
    this.answer = new Map();
    this.progress = new Progress(byId('progress'), 'influence', {
      cancel: () => this.cancel(),
      resume: () => this.measure(),
    });
  }

  /** leave is called before another page is requested, because until then the page shows an old state. */
  leave(url) {
    this.asking.abort();
    if (this.comparing) return;
    const next = new URL(url, location.href).searchParams.get('show');
    if (next !== 'influence') return;
    const compared = byId('compared'); // a comparison comes when both maps are measured
    const former = compared && document.querySelector('.card .map[data-map="influence"]');
    for (const map of document.querySelectorAll(former ? '.card .map' : '.card .map:not([data-map="influence"])')) {
      map.closest('.figure').dataset.stale = t(`script.influence.${former ? 'former' : 'stale'}`);
    }
    compared?.setAttribute('aria-busy', 'true');
  }

  /** stay is called when no request is running. */
  stay() {
    for (const figure of document.querySelectorAll('.figure[data-stale]')) delete figure.dataset.stale;
    byId('compared')?.removeAttribute('aria-busy');
    if (this.waiting().length && this.asking.signal.aborted) this.say('cancelled', 'resume');
  }

  /** fill reads the state of the page after an update. */
  fill(answer) {
    this.answer = answer;
    if (!this.comparing || !this.waiting().length) this.measure();
    else this.say('cancelled', 'resume'); // the measured maps are lost
  }

  /** waiting returns the cards without their measurement, the cheapest first. */
  waiting() {
    return [...document.querySelectorAll('.measuring')].sort((a, b) => a.dataset.order - b.dataset.order);
  }

  /** measure requests all of them, a few at a time. */
  async measure() {
    this.asking.abort();
    this.asking = new AbortController();
    const { signal } = this.asking, cards = this.waiting();
    if (!cards.length) return;
    this.say('progress', 'cancel');
    const next = async () => {
      for (let card = cards.shift(); card && !signal.aborted; card = cards.shift()) {
        await this.ask(card, signal);
        if (!signal.aborted) this.say('progress', 'cancel');
      }
    };
    await Promise.all(Array.from({ length: TOGETHER }, next));
    if (!signal.aborted && !this.waiting().some((card) => !card.dataset.failed)) await this.whole();
  }

  /** whole ends the progress. The server sends the comparison of the complete maps. */
  async whole() {
    this.progress.clear();
    if (!byId('compared')) return;
    this.comparing = true;
    await this.compare();
    this.comparing = false;
  }

  /** cancel stops the requests and keeps the cards as they are. */
  cancel() {
    this.asking.abort();
    this.say('cancelled', 'resume');
    this.progress.focus();
  }

  /** say states how many cards are measured, with a button to cancel or resume. */
  say(what, button) {
    const all = Number(byId('progress').dataset.all);
    this.progress.say(what, button, { done: all - this.waiting().length, all });
  }

  /** ask measures one card, and repeats the request while the server has a queue. */
  async ask(card, signal) {
    const says = (sentence) => { card.querySelector('.refusal-text').textContent = sentence; };
    try {
      const queued = (seconds) => says(t('script.influence.queue', { seconds }));
      await this.take(
        await patiently(card.dataset.src, signal, queued, { 'Atlas-Only': card.closest('.card').dataset.mechanism }),
        card.closest('.card').id,
        signal,
      );
    } catch (error) {
      if (error.name === 'AbortError') return says(t('script.influence.waits'));
      card.dataset.failed = 'true';
      says(t('script.influence.failed', { why: error.message }));
    }
  }

  /** take puts a measured card into its place. */
  async take(answer, id, signal) {
    const { page } = answer, fresh = page.getElementById(id), src = page.getElementById('main')?.dataset.src;
    if (!fresh) throw refusal(answer);
    const drawn = fresh.querySelector('.map') ? await load(src, signal) : new Map();
    const old = byId(fresh.id);
    if (signal.aborted || !old) return;
    for (const picture of fresh.querySelectorAll('.map picture')) picture.remove(); // not to be requested
    morph(old, fresh);
    this.answer = new Map([...this.answer, ...drawn]);
    this.show(this.answer);
  }
}
