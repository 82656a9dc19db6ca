// What is measured takes long. Cards that are not measured yet are asked for here, those first
// that cost least; attention that still stands while influence is on its way says so.

import { load } from './data.js';
import { morph } from './morph.js';
import { Progress, patiently, refusal } from './patience.js';
import { byId } from './dom.js';
import { t } from './messages.js';

const TOGETHER = 2; // cards that are asked for at a time: a visitor with many waits as long as one with few

/** @typedef {import('./data.js').Answer} Answer */

export class Influence {
  /**
   * @param {(answer: Answer) => void} show takes the page as it is with another card
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

  /** leave is called before another page is asked for: what is shown until then is not what will be. */
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

  /** stay is called when nothing is on its way any more. */
  stay() {
    for (const figure of document.querySelectorAll('.figure[data-stale]')) delete figure.dataset.stale;
    byId('compared')?.removeAttribute('aria-busy');
    if (this.waiting().length && this.asking.signal.aborted) this.say('cancelled', 'resume');
  }

  /** fill takes the page as it now is. */
  fill(answer) {
    this.answer = answer;
    if (!this.comparing || !this.waiting().length) this.measure();
    else this.say('cancelled', 'resume'); // what was measured is forgotten again
  }

  /** waiting are the cards that are not measured, the cheapest first. */
  waiting() {
    return [...document.querySelectorAll('.measuring')].sort((a, b) => a.dataset.order - b.dataset.order);
  }

  /** measure asks for all of them, few at a time. */
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

  /** whole ends the progress: a comparison of what is there now comes from the server. */
  async whole() {
    this.progress.clear();
    if (!byId('compared')) return;
    this.comparing = true;
    await this.compare();
    this.comparing = false;
  }

  /** cancel leaves the cards that are there, and the others as they are. */
  cancel() {
    this.asking.abort();
    this.say('cancelled', 'resume');
    this.progress.focus();
  }

  /** say says how many cards are measured, and has a button for what can be done. */
  say(what, button) {
    const all = Number(byId('progress').dataset.all);
    this.progress.say(what, button, { done: all - this.waiting().length, all });
  }

  /** ask measures one card, as often as the server says that there is a queue. */
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

  /** take puts a card that is measured into its place. */
  async take(answer, id, signal) {
    const { page } = answer, fresh = page.getElementById(id), src = page.getElementById('main')?.dataset.src;
    if (!fresh) throw refusal(answer);
    const drawn = fresh.querySelector('.map') ? await load(src, signal) : new Map();
    const old = byId(fresh.id);
    if (signal.aborted || !old) return;
    for (const picture of fresh.querySelectorAll('.map picture')) picture.remove(); // not to be asked for
    morph(old, fresh);
    this.answer = new Map([...this.answer, ...drawn]);
    this.show(this.answer);
  }
}
