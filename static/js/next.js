// Predictions of the next token after the word under the pointer. Predictions after every word are
// fetched once. They are in the page only while a visitor has opened them, because they are most of
// the page for a long text.

import { content } from './fold.js';

let lists = new Map(); // of the current page, by the ids of their folds; null: loading

/** forget discards them, for another page. */
export function forget() { lists = new Map(); }

/**
 * expect shows the predictions after the token of a row, or without a row those that the server chose.
 * @param {import('./card.js').Card[]} cards
 * @param {number|null} row
 * @param {() => void} again called when predictions have arrived
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

/** bring fetches the predictions after every token, without the page. Without a response they are requested
 * again next time. */
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
