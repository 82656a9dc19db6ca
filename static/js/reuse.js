// Cards that stay the same for another text. The server sends only their text-dependent parts, and
// their URLs are updated here.

import { byId } from './dom.js';

const ADDRESSES = ['href', 'data-src']; // attributes inside cards

/** having returns the header that lists the cards of the page. */
export const having = () => ({
  'Atlas-Has': [...document.querySelectorAll('.card[data-shape]')].map((card) => card.dataset.shape).join(','),
});

/** altered makes the server send a card in full next time, because a script has changed its content. */
export const altered = (element) => element.closest('.card')?.removeAttribute('data-shape');

/** complete reports whether this page has the cards that another leaves out. */
export const complete = (page) =>
  [...page.querySelectorAll('[data-same]')].every((fresh) => byId(fresh.id)?.dataset.shape === fresh.dataset.shape);

/**
 * stay updates the cards of this page that another leaves out.
 * @param {Document} page
 */
export function stay(page) {
  const [from, to] = [document, page].map((one) => one.getElementById('cards')?.dataset.query);
  for (const fresh of page.querySelectorAll('[data-same]')) {
    const old = byId(fresh.id);
    if (from && to && from !== to)
      for (const one of old.querySelectorAll(ADDRESSES.map((name) => `[${name}]`).join())) address(one, from, to);
    for (const piece of [...fresh.children]) {
      const before = old.querySelector(`${piece.tagName}.${piece.classList[0]}`);
      if (!before.isEqualNode(piece)) before.replaceWith(piece);
    }
  }
}

/** address updates the URLs of an element for another text. */
function address(element, from, to) {
  for (const name of ADDRESSES) {
    const value = element.getAttribute(name),
      now = value?.replaceAll(from, (same, at) => (whole(value, at, from.length) ? to : same));
    if (now && now !== value) element.setAttribute(name, now);
  }
}

/** whole reports whether a part of a URL is a complete parameter with its value. */
const whole = (address, at, length) => '?&'.includes(address[at - 1]) && '&#'.includes(address[at + length] ?? '&');
