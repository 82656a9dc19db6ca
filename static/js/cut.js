// Links that ablate the pinned cell or word in all cards, or in one. They follow the pin. Keys
// ablate the cell or word under the pointer in the card with the focus. The server decides which
// ablations are possible.

import { altered } from './reuse.js';

const keyOf = (card) => (card ? `${card}.cut` : 'cut');

/** cut returns the URL of this page with another ablation: in one card, or (for an empty id) in all. */
function cut(card, what) {
  const url = new URL(location.href), key = keyOf(card);
  const before = url.searchParams.get(key);
  url.searchParams.set(key, before ? `${before},${what}` : what);
  return url.pathname + url.search;
}

/**
 * named returns the ablation of a link, as in URLs, or '' if nothing is pinned.
 * @param {'cell'|'word'} kind
 * @param {string} place layer and head of a card, "2.3"; empty: all
 * @param {import('./sheet.js').Focus} at
 */
function named(kind, place, at) {
  const [row, col] = [at?.row ?? null, at?.col ?? null];
  if (kind === 'word') return row === null && col === null ? '' : `word:${(col ?? row) + 1}`;
  if (row === null || col === null) return '';
  return `cell:${place ? `${place}.` : ''}${row + 1}.${col + 1}`;
}

/** follow updates all ablation links with the pin. */
export function follow(pinned) {
  for (const link of document.querySelectorAll('#cut-cell, #cut-word')) point(link, '', '', pinned);
  for (const card of document.querySelectorAll('.card[data-place]')) {
    for (const link of card.querySelectorAll('a[data-cut]'))
      point(link, card.dataset.mechanism, card.dataset.place, pinned);
    const none = card.querySelector('.cut-none');
    if (none) none.hidden = Boolean(pinned && pinned.col !== null);
  }
}

function point(link, card, place, pinned) {
  if (link.dataset.cut === 'head') return;
  const what = named(link.dataset.cut, place, pinned);
  link.hidden = !what;
  const given = new URL(link.href, location.href).searchParams.get(keyOf(card)); // by the server, or earlier
  if (!what || given?.split(',').includes(what)) return;
  link.href = cut(card, what);
  altered(link);
}

/**
 * connect returns the action of the ablation keys.
 * @param {import('./page.js').Page} page
 * @param {import('./wall.js').Wall} wall
 * @returns {(target: Element, kind: 'cell'|'word') => void}
 */
export function connect(page, wall) {
  return (target, kind) => {
    const card = wall.cardOf(target), place = card?.element.dataset.place;
    const what = place && named(kind, place, wall.at());
    if (what) page.visit(cut(card.id, what), 'push', true);
  };
}
