// The board of guesses: its keys, where the focus goes when it opens, rows that move to their
// new places, and those that come one after the other when every word is guessed.

import { morph } from './morph.js';
import { Progress, patiently, refusal } from './patience.js';
import { byId } from './dom.js';

const PATIENCE = 400; // milliseconds after which the board says that another is on its way, which can be stopped
const MOVE = { duration: 220, easing: 'ease-out' };
const still = matchMedia('(prefers-reduced-motion: reduce)');
const board = () => byId('race');
const rows = () => [...document.querySelectorAll('#race .race-board tbody tr')];
const isOpen = () => Boolean(board()?.matches('.open'));

/** press follows one of the board's links; it says whether there is one. */
export function press(id) {
  const link = byId(id);
  link?.click();
  return Boolean(link);
}

/** waits has the board say, or not say any more, that it is a former one. */
function waits(yes) {
  for (const id of ['race-former', 'race-stop']) byId(id).hidden = !yes;
  board().setAttribute('aria-busy', String(yes));
}

/** guessed is how many models have guessed every word, of how many; none where one word is guessed. */
const guessed = () => ({
  done: Number(byId('race-progress')?.dataset.done ?? 0),
  all: Number(byId('race-progress')?.dataset.all ?? 0),
});
const isWhole = () => guessed().done >= guessed().all;

export class Race {
  constructor() {
    this.open = isOpen();
    this.tops = new Map();
    this.timer = 0;
    this.asking = new AbortController();
    this.progress = new Progress(byId('race-progress'), 'race', {
      cancel: () => this.cancel(),
      resume: () => this.more(),
    });
  }

  /** leave remembers where the rows are, before another page is asked for. */
  leave() {
    this.asking.abort();
    if (!isOpen()) return;
    this.remember();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => waits(true), PATIENCE);
  }

  /** stay is called when nothing is on its way any more. */
  stay() {
    clearTimeout(this.timer);
    if (isOpen()) waits(false);
    if (!isWhole() && this.asking.signal.aborted) this.progress.say('cancelled', 'resume', guessed());
  }

  /** fill takes the board as it now is. */
  fill() {
    const opened = isOpen() && !this.open;
    this.open = isOpen();
    if (opened && (document.activeElement === document.body || document.activeElement.matches('#race-open, #try-race')))
      board().focus({ preventScroll: true });
    this.move();
    this.more();
  }

  remember() { this.tops = new Map(rows().map((row) => [row.id, row.offsetTop])); }

  /** move has rows come from where they were. */
  move() {
    if (!still.matches) for (const row of rows()) this.glide(row);
    this.tops.clear();
  }

  /** glide has a row come from where it was. */
  glide(row) {
    const from = this.tops.get(row.id) - row.offsetTop;
    if (from) row.animate([{ transform: `translateY(${from}px)` }, { transform: 'none' }], MOVE);
  }

  /** more asks for the board again until every model has guessed. */
  async more() {
    this.asking.abort();
    if (isWhole()) return;
    this.asking = new AbortController();
    const { signal } = this.asking;
    try {
      while (!isWhole()) {
        this.progress.say('progress', 'cancel', guessed());
        await this.rows(signal);
        if (signal.aborted) return;
      }
      this.progress.clear();
    } catch (error) {
      if (error.name !== 'AbortError') this.progress.say('failed', 'resume', { ...guessed(), why: error.message });
    }
  }

  /** rows brings those of the models that guess next. */
  async rows(signal) {
    const { done } = guessed(), at = byId('race-progress');
    const queued = (seconds) => this.progress.say('queue', 'cancel', { ...guessed(), seconds });
    const answer = await patiently(at.dataset.src, signal, queued, { 'Atlas-Only': 'race' });
    const fresh = answer.page.getElementById('race'), progress = answer.page.getElementById('race-progress');
    if (!fresh?.matches('.open') || (Number(progress.dataset.all) && Number(progress.dataset.done) <= done))
      throw refusal(answer);
    if (signal.aborted) return;
    this.remember();
    morph(board(), fresh);
    Object.assign(at.dataset, progress.dataset);
    this.move();
  }

  /** cancel leaves the rows that are there. */
  cancel() {
    this.asking.abort();
    this.progress.say('cancelled', 'resume', guessed());
    this.progress.focus();
  }
}
