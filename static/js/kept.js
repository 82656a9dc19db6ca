// Links say what was pinned when their page came. What has been pinned since then stays pinned in another head, with
// another method, before an audience.

import { put } from './look.js';
import { altered } from './reuse.js';

const BEGINS = '.look.first .look-step'; // link to the walk, which leads back to this page
const WHOLE = '.look-step, #look-again, .example-list a'; // links to states that say all

const valueIn = (address, key) => new URL(address, location.href).searchParams.get(key) ?? '';

const BESIDE = /\/(steps|compare|m\/[\w-]+)$/; // pages that begin with what is pinned

/** pinned is what is pinned, as addresses have it; empty: nothing. */
export const pinned = () => valueIn(location.href, 'pin');

/**
 * kept is the address of a link with the current pin, if the link opens the same text and has the pin of its page.
 * The link out of the tour keeps the current pin.
 * @param {HTMLAnchorElement} link
 * @param {string} pin what was pinned when its page came
 */
export function kept(link, pin) {
  if (link.matches(BEGINS))
    return put(link.href, 'from', put(`?${valueIn(link.href, 'from')}`, 'pin', pinned()).slice(1));
  const same = ['text', 'other'].every((key) => valueIn(link.href, key) === valueIn(location.href, key));
  return same && valueIn(link.href, 'pin') === pin && !link.matches(WHOLE)
    ? put(link.href, 'pin', pinned())
    : link.href;
}

/**
 * connect has links to other pages of the text lead there with what is pinned now.
 * @param {() => string} pin says what was pinned when the page came
 */
export function connect(pin) {
  const follow = ({ target }) => {
    const link = target.closest?.('main a[href]:not(.enhance)');
    if (!link || !BESIDE.test(link.pathname) || pinned() === pin()) return;
    link.href = kept(link, pin());
    altered(link);
  };
  for (const kind of ['click', 'auxclick']) document.addEventListener(kind, follow, true);
}
