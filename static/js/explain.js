// Links that trace the pinned number of a card.

import { leave } from './dom.js';
import { put } from './look.js';
import { altered } from './reuse.js';

/** about returns the URL that traces the number of another cell. */
const about = (address, { row, col }) => put(address, 'pin', `${(row ?? col) + 1}.${col + 1}`);

/** follow updates the links of all cards with the pin. */
export function follow(pinned) {
  for (const link of document.querySelectorAll('a.why')) {
    link.hidden = !pinned || pinned.col === null;
    if (link.hidden) continue;
    link.setAttribute('href', about(link.getAttribute('href'), pinned));
    altered(link);
  }
}

/** ask opens the page that traces the number under the pointer on a card; in an iframe it opens outside. */
export function ask(card, at) {
  if (card?.dataset.explain && at && at.col !== null) leave(about(card.dataset.explain, at));
}
