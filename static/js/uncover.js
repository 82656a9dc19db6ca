// On narrow screens the bar grows when something is pinned: the page gives way by as much as the pinned row needs.

import { byId } from './dom.js';

const narrow = matchMedia('(max-width: 799px)'), GAP = 6; // CSS pixels between row and bar
let last = 'null'; // what was pinned

/**
 * uncover scrolls the page by the least that shows a row which is pinned now in the first map above the bar.
 * @param {import('./card.js').Card[]} cards those in sight
 * @param {{row: number}|null} pin
 */
export function uncover(cards, pin) {
  const before = last;
  if (before === (last = JSON.stringify(pin))) return;
  const card = narrow.matches && pin && cards.find((one) => one.map?.pairs), map = card && byId(`map-${card.id}`);
  if (!map) return;
  const box = map.getBoundingClientRect(), high = box.height / card.map.rows.count, top = box.top + pin.row * high;
  const over = top + high + GAP - byId('readout').getBoundingClientRect().top;
  if (over > 0) scrollBy({ top: over, behavior: 'instant' });
  else if (top < 0) scrollBy({ top: top - GAP, behavior: 'instant' });
}
