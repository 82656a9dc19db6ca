// The board of guesses: its keys, where the focus goes when it opens, and rows that move to their
// new places.

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

export class Race {
  constructor() {
    this.open = isOpen();
    this.tops = new Map();
    this.timer = 0;
  }

  /** leave remembers where the rows are, before another page is asked for. */
  leave() {
    if (!isOpen()) return;
    this.tops = new Map(rows().map((row) => [row.id, row.offsetTop]));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => waits(true), PATIENCE);
  }

  /** stay is called when nothing is on its way any more. */
  stay() {
    clearTimeout(this.timer);
    if (isOpen()) waits(false);
  }

  /** fill takes the board as it now is. */
  fill() {
    const opened = isOpen() && !this.open;
    this.open = isOpen();
    if (opened && [document.body, byId('race-open')].includes(document.activeElement)) board().focus({ preventScroll: true });
    if (!still.matches) for (const row of rows()) this.glide(row);
    this.tops.clear();
  }

  /** glide has a row come from where it was. */
  glide(row) {
    const from = this.tops.get(row.id) - row.offsetTop;
    if (from) row.animate([{ transform: `translateY(${from}px)` }, { transform: 'none' }], MOVE);
  }
}
