// On narrow screens the bar grows with a pin. The page scrolls by the distance that the pinned row
// needs.

import { byId } from './dom.js';

const narrow = matchMedia('(max-width: 799px)'), GAP = 6; // CSS pixels between row and bar
let last = 'null'; // the last pin

/**
 * uncover scrolls the page by the smallest distance that shows the newly pinned row in the first map above
 * the bar.
 * @param {import('./card.js').Card[]} cards the visible ones
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
