// Folded content of cards. It is fetched when a visitor opens it, and comes with the next page
// while it is open.

import { reach } from './data.js';
import { altered } from './reuse.js';

const folds = (which) => [...document.querySelectorAll(`[data-part] details${which}`)];

/** asking returns the request headers that list the open folds, which come with the page. */
export const asking = () => ({ 'Atlas-Open': folds('[open]').map(({ id }) => id).join(',') });

/** keep keeps open folds open in another page. */
export function keep(page) {
  for (const { id } of folds('[open]')) page.getElementById(id)?.setAttribute('open', '');
}

/** unfold fetches the missing content of open folds. Without a response the link to it stays. */
export function unfold() {
  for (const fold of folds('[open][data-folded]')) bring(fold);
}

/** connect fetches the content of a fold when it opens. */
export function connect() {
  document.addEventListener(
    'toggle',
    ({ target }) => {
      if (target.matches('details[open][data-folded]')) bring(target);
    },
    true,
  );
}

/** content fetches a fold with its content, without the page, or returns null if there is no response. */
export async function content(fold) {
  const only = fold.closest('[data-mechanism]').dataset.mechanism,
    headers = { 'Atlas-Open': fold.id, 'Atlas-Only': only };
  const answer = await reach(location.pathname + location.search, undefined, 'text/html', headers)
    .then((one) => one.text())
    .catch(() => '');
  const fresh = new DOMParser().parseFromString(answer, 'text/html').getElementById(fold.id);
  return fresh?.hasAttribute('data-folded') ? null : fresh;
}

/** bring fetches the content of a fold. */
async function bring(fold) {
  if (fold.hasAttribute('aria-busy')) return;
  fold.setAttribute('aria-busy', 'true');
  const fresh = await content(fold);
  fold.removeAttribute('aria-busy');
  if (!fresh || !fold.isConnected || !fold.hasAttribute('data-folded')) return;
  fold.removeAttribute('data-folded');
  altered(fold);
  Object.assign(fold.dataset, fresh.dataset);
  for (const child of [...fold.children].slice(1)) child.remove();
  fold.append(...[...fresh.children].slice(1));
  fold.dispatchEvent(new Event('toggle'));
}
