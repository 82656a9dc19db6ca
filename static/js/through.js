// From a card to the steps of its forward pass.

import { put } from './look.js';
import { leave } from './dom.js';
import { pinned } from './kept.js';

/** through opens the steps of a card's forward pass; in an iframe they open outside. */
export function through(card) {
  if (card?.dataset.steps) leave(put(card.dataset.steps, 'pin', pinned()));
}
