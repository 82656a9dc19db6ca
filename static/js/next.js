// The next words that models expect, after the word that is pointed at. Those after every word are fetched once, and
// stand in the page only where somebody opens them: of a long text they are most of it.

import { content } from './fold.js';

let lists = new Map(); // those of the page as it now is, by the ids of their folds; null: on its way

/** forget has them fetched again, for another page. */
export function forget() { lists = new Map(); }

/**
 * expect shows the next words after the token of a row; without one, after that which the server chose.
 * @param {import('./card.js').Card[]} cards
 * @param {number|null} row
 * @param {() => void} again called when words have come
 */
export function expect(cards, row, again) {
  for (const now of cards.flatMap((card) => card.next)) {
    const fold = now.parentElement.querySelector('.every'), folded = fold.hasAttribute('data-folded');
    if (folded && row !== null && !lists.has(fold.id)) bring(fold, now, again);
    const after = (i) => (folded ? lists.get(fold.id) : fold)?.querySelector(`[data-at="${i}"]`);
    const one = after(row) ?? after(now.dataset.first);
    if (one && one.textContent !== now.textContent) now.replaceChildren(...document.importNode(one, true).childNodes);
  }
}

/** bring fetches the words after every token beside the page: without an answer they are asked for the next time. */
async function bring(fold, now, again) {
  const page = lists;
  page.set(fold.id, null);
  now.setAttribute('aria-busy', 'true');
  const fresh = await content(fold);
  now.removeAttribute('aria-busy');
  if (fresh) page.set(fold.id, fresh);
  else page.delete(fold.id);
  if (fresh && page === lists) again();
}
