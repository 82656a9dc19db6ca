// Updates a part of the page from another one. Equal elements stay, with all changes by scripts.
// Boxes in which scripts draw keep their drawings.

import { OURS } from './dom.js';

// PARTS are the elements whose children are compared one by one.
const PARTS = [
  '[data-part], .card, .card-head, .card-body, .card-foot, .figure, .caption, .heads, .heads-strip, .race-says',
  '.race-frame, .race-board, .race-board tbody, .race-board tbody tr, h2, a, .as-table, details:not([open])',
  'nav :is(section, ul, li)',
].join();
const DRAWN = '.map, .strip, .heads-sheet';
const READ = '.card-read', OWN = `.labels, ${READ}`; // written by scripts
const TOKEN = '.token'; // changed by scripts
const SAME = 'data-same'; // of a card whose content stays
/** @type {WeakMap<Element, Element>} tokens as sent by the server */
const sent = new WeakMap();

/**
 * morph updates an element of this page from an element of another document.
 * @param {Element} old
 * @param {Element} fresh belongs to the page afterwards
 */
export function morph(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  attributes(old, fresh);
  if (old.matches(DRAWN)) redraw(old, fresh);
  else if (!fresh.hasAttribute(SAME)) children(old, fresh);
}

/** attributes copies the attributes of a fresh element. Boxes and whole parts keep additional attributes set
 * by scripts. */
function attributes(old, fresh) {
  if (!old.matches(`${DRAWN}, [data-part]`))
    for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes)
    if (name !== SAME && old.getAttribute(name) !== value) old.setAttribute(name, value);
}

/** redraw keeps the elements on which scripts draw, which are repainted, and replaces the other content of
 * the box. */
function redraw(old, fresh) {
  for (const child of [...old.childNodes]) if (!child.matches?.(OURS)) child.remove();
  old.append(...fresh.childNodes);
}

/** keyOf returns the key by which an element is matched: its id, or its kind. */
const keyOf = (node) =>
  node.nodeType === Node.ELEMENT_NODE ? node.id || `${node.tagName}.${node.classList[0] ?? ''}` : node.nodeType;

/** children matches the children of both elements by key, in the order of the fresh ones. */
function children(old, fresh) {
  const found = Map.groupBy(old.childNodes, keyOf);
  const list = [...fresh.childNodes].map((child) => {
    const same = found.get(keyOf(child))?.shift();
    return same ? keep(same, child) : child;
  });
  const wanted = new Set(list);
  for (const node of [...old.childNodes]) if (!wanted.has(node) && !node.matches?.(READ)) node.remove();
  list.forEach((node, i) => { if (old.childNodes[i] !== node) old.insertBefore(node, old.childNodes[i] ?? null); });
}

/** keep returns the node that represents both. */
function keep(old, fresh) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
    return old;
  }
  if (old.matches(OWN)) return old;
  if (old.matches(TOKEN)) return token(old, fresh);
  if (old.matches(PARTS) || old.matches(DRAWN)) morph(old, fresh);
  else if (!old.isEqualNode(fresh)) return fresh;
  return old;
}

/** token returns a token that scripts have changed, if the server's version of it has not changed. */
function token(old, fresh) {
  if ((sent.get(old) ?? old).isEqualNode(fresh)) return old;
  sent.set(fresh, fresh.cloneNode(true));
  return fresh;
}
