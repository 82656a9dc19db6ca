// Helpers for elements: find, create, announce.

const REST = 200; // milliseconds of rest before the element under the pointer is announced
let timer = 0;

export const OURS = 'canvas, .cross, .pills'; // elements that scripts put in place of the server's picture

export const byId = (id) => document.getElementById(id);

/** leave opens another URL, outside of an iframe. Only links, forms and this function leave the page. */
export const leave = (url) => window.open(url, document.querySelector('base')?.target || '_self');

/** el creates an element. */
export function el(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/**
 * renew sets the children of an element. Existing children of the same kind are updated instead of replaced.
 * This is cheaper, above all for texts that change with every move of the pointer.
 * @param {Element} box
 * @param {(string|Node)[]} list
 */
export function renew(box, list) {
  const stays = new Set(list.filter((one) => one.parentNode === box));
  let now = box.firstChild;
  for (const one of list) {
    while (now && stays.has(one) && now !== one) now = drop(now);
    if (now && (now === one || (!stays.has(now) && alike(now, one)))) {
      if (now !== one) take(now, one);
      now = now.nextSibling;
    } else {
      box.insertBefore(typeof one === 'string' ? document.createTextNode(one) : one, now);
    }
  }
  while (now) now = drop(now);
}

function drop(node) {
  const next = node.nextSibling;
  node.remove();
  return next;
}

const alike = (old, fresh) =>
  typeof fresh === 'string' ? old.nodeType === Node.TEXT_NODE : old.nodeName === fresh.nodeName;

function take(old, fresh) {
  const text = typeof fresh === 'string' ? fresh : fresh.nodeValue;
  if (text !== null) return old.nodeValue === text || (old.nodeValue = text);
  if (old.isEqualNode(fresh)) return old;
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  renew(old, [...fresh.childNodes]);
  return old;
}

/** word returns an element for a visitor's text with its own direction. */
export const word = (className, text) => el('bdi', { className, dir: 'auto' }, text);

/** keepFocus remembers the focused element by its id, or by its index among similar elements. */
export function keepFocus() {
  const focused = document.activeElement, kind = ['.step', '.thumb'].find((one) => focused.matches(one));
  const like = () => [...document.querySelectorAll(kind)];
  const place = kind ? like().indexOf(focused) : -1;
  return () => {
    const again = kind ? like()[place] : byId(focused.id);
    if (document.activeElement !== again) again?.focus({ preventScroll: true });
  };
}

/** speak makes a screen reader announce a text, after the pointer has rested. */
export function speak(says) {
  clearTimeout(timer);
  timer = setTimeout(() => {
    const live = byId('announce'), text = says();
    if (live && live.textContent !== text) live.textContent = text;
  }, REST);
}
