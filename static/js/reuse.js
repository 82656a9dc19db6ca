// Cards that are for another text what they were: the server sends of them only what it says of the text, and their
// addresses follow.

import { byId } from './dom.js';

const ADDRESSES = ['href', 'data-src']; // attributes of what is in cards

/** having is the header that says which cards the page has. */
export const having = () => ({
  'Atlas-Has': [...document.querySelectorAll('.card[data-shape]')].map((card) => card.dataset.shape).join(','),
});

/** altered has a card sent whole the next time: a script has changed in it what the server wrote. */
export const altered = (element) => element.closest('.card')?.removeAttribute('data-shape');

/** complete says whether this page has what another leaves out. */
export const complete = (page) =>
  [...page.querySelectorAll('[data-same]')].every((fresh) => byId(fresh.id)?.dataset.shape === fresh.dataset.shape);

/**
 * stay has the cards of this page that another leaves out say what is new in them.
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

/** address has the addresses of an element lead to another text. */
function address(element, from, to) {
  for (const name of ADDRESSES) {
    const value = element.getAttribute(name),
      now = value?.replaceAll(from, (same, at) => (whole(value, at, from.length) ? to : same));
    if (now && now !== value) element.setAttribute(name, now);
  }
}

/** whole says whether a part of an address is a parameter and its value. */
const whole = (address, at, length) => '?&'.includes(address[at - 1]) && '&#'.includes(address[at + length] ?? '&');
