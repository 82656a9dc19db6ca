// The fill-in board: its keys, the focus after it opens, rows that move to their new places, and
// rows that arrive one after another when every word is predicted.

import { morph } from './morph.js';
import { Progress, patiently, refusal } from './patience.js';
import { byId } from './dom.js';

const PATIENCE = 400; // milliseconds before the board reports that another one is loading, which can be stopped
const MOVE = { duration: 220, easing: 'ease-out' };
const still = matchMedia('(prefers-reduced-motion: reduce)');
const board = () => byId('race');
const rows = () => [...document.querySelectorAll('#race .race-board tbody tr')];
const isOpen = () => Boolean(board()?.matches('.open'));

/** press follows a link of the board, and reports whether it exists. */
export function press(id) {
  const link = byId(id);
  link?.click();
  return Boolean(link);
}

/** waits marks the board as outdated, or removes the mark. */
function waits(yes) {
  for (const id of ['race-former', 'race-stop']) byId(id).hidden = !yes;
  board().setAttribute('aria-busy', String(yes));
}

/** guessed returns how many models have predicted every word, out of how many; empty if the board is about
 * one word. */
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

  /** leave remembers the positions of the rows before another page is requested. */
  leave() {
    this.asking.abort();
    if (!isOpen()) return;
    this.remember();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => waits(true), PATIENCE);
  }

  /** stay is called when no request is running. */
  stay() {
    clearTimeout(this.timer);
    if (isOpen()) waits(false);
    if (!isWhole() && this.asking.signal.aborted) this.progress.say('cancelled', 'resume', guessed());
  }

  /** fill reads the state of the board after an update. */
  fill() {
    const opened = isOpen() && !this.open;
    this.open = isOpen();
    if (opened && (document.activeElement === document.body || document.activeElement.matches('#race-open, #try-race')))
      board().focus({ preventScroll: true });
    this.move();
    this.more();
  }

  remember() { this.tops = new Map(rows().map((row) => [row.id, row.offsetTop])); }

  /** move animates rows from their former positions. */
  move() {
    if (!still.matches) for (const row of rows()) this.glide(row);
    this.tops.clear();
  }

  /** glide animates one row from its former position. */
  glide(row) {
    const from = this.tops.get(row.id) - row.offsetTop;
    if (from) row.animate([{ transform: `translateY(${from}px)` }, { transform: 'none' }], MOVE);
  }

  /** more requests the board until every model has predicted. */
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

  /** rows requests the rows of the next models. */
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

  /** cancel keeps the rows that are there. */
  cancel() {
    this.asking.abort();
    this.progress.say('cancelled', 'resume', guessed());
    this.progress.focus();
  }
}
