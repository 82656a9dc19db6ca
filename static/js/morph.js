// One part of the page made like another: what is equal stays, with all that scripts made of it;
// boxes that scripts draw in keep their drawings.

import { OURS } from './dom.js';

// PARTS are the elements whose children are compared one by one.
const PARTS = [
  '[data-part], .card, .card-head, .card-body, .card-foot, .figure, .caption, .heads, .heads-strip, .race-says',
  '.race-frame, .race-board, .race-board tbody, .race-board tbody tr, h2, a, .as-table, details:not([open])',
].join();
const DRAWN = '.map, .strip, .heads-sheet';
const READ = '.card-read', OWN = `.labels, ${READ}`; // what scripts write
const TOKEN = '.token'; // which scripts change
const SAME = 'data-same'; // of a card whose content stays
/** @type {WeakMap<Element, Element>} tokens as the server sent them */
const sent = new WeakMap();

/**
 * morph makes an element of this page like one of another document.
 * @param {Element} old
 * @param {Element} fresh belongs to the page afterwards
 */
export function morph(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  attributes(old, fresh);
  if (old.matches(DRAWN)) redraw(old, fresh);
  else if (!fresh.hasAttribute(SAME)) children(old, fresh);
}

/** attributes takes those of a fresh element; of boxes and whole parts what scripts have set besides stays. */
function attributes(old, fresh) {
  if (!old.matches(`${DRAWN}, [data-part]`))
    for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes)
    if (name !== SAME && old.getAttribute(name) !== value) old.setAttribute(name, value);
}

/** redraw keeps what scripts draw on, which is painted anew, and takes what else is in the box. */
function redraw(old, fresh) {
  for (const child of [...old.childNodes]) if (!child.matches?.(OURS)) child.remove();
  old.append(...fresh.childNodes);
}

/** keyOf is by what an element is found again: its id, or what it is. */
const keyOf = (node) =>
  node.nodeType === Node.ELEMENT_NODE ? node.id || `${node.tagName}.${node.classList[0] ?? ''}` : node.nodeType;

/** children pairs those of both by their keys, in the order of the fresh ones. */
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

/** keep is the node that stands for both. */
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

/** token is one that scripts have changed, when the server says of it what it said before. */
function token(old, fresh) {
  if ((sent.get(old) ?? old).isEqualNode(fresh)) return old;
  sent.set(fresh, fresh.cloneNode(true));
  return fresh;
}
