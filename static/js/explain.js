// Links to where the pinned number of a card comes from.

import { leave } from './dom.js';
import { put } from './look.js';
import { altered } from './reuse.js';

/** about is the address of where a number comes from, of another cell. */
const about = (address, { row, col }) => put(address, 'pin', `${(row ?? col) + 1}.${col + 1}`);

/** follow has the links of all cards ask for what is pinned. */
export function follow(pinned) {
  for (const link of document.querySelectorAll('a.why')) {
    link.hidden = !pinned || pinned.col === null;
    if (link.hidden) continue;
    link.setAttribute('href', about(link.getAttribute('href'), pinned));
    altered(link);
  }
}

/** ask goes to where the number comes from that is pointed at on a card; out of a frame. */
export function ask(card, at) {
  if (card?.dataset.explain && at && at.col !== null) leave(about(card.dataset.explain, at));
}
