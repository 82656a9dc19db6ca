// Links contain the pin of their page. A later pin stays when a link changes head, method or
// presentation mode.

import { put } from './look.js';
import { altered } from './reuse.js';

const BEGINS = '.look.first .look-step'; // link to the tour, which returns to this page
const WHOLE = '.look-step, #look-again, .example-list a'; // links to complete states

const valueIn = (address, key) => new URL(address, location.href).searchParams.get(key) ?? '';

const BESIDE = /\/(steps|compare|m\/[\w-]+)$/; // pages that start with the pin

/** pinned returns the pin as in URLs, or ''. */
export const pinned = () => valueIn(location.href, 'pin');

/**
 * kept returns the URL of a link with the current pin, if the link opens the same text and has the pin of
 * its page. The link out of the tour keeps the current pin.
 * @param {HTMLAnchorElement} link
 * @param {string} pin of the page when it was loaded
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
 * connect adds the current pin to links to other pages of the text.
 * @param {() => string} pin returns the pin of the page when it was loaded
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
