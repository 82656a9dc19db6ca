// From a card to the steps of its pass.

import { put } from './look.js';
import { leave } from './dom.js';
import { pinned } from './kept.js';

/** through goes to the steps of a card's pass; out of a frame. */
export function through(card) {
  if (card?.dataset.steps) leave(put(card.dataset.steps, 'pin', pinned()));
}
