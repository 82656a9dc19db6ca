// Elements of the page: found, made, read out.

const REST = 200; // milliseconds until what the hand rests on is spoken
let timer = 0;

export const byId = (id) => document.getElementById(id);

/** el makes an element. */
export function el(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** word is a piece of somebody's text, whose direction is its own. */
export const word = (className, text) => el('bdi', { className, dir: 'auto' }, text);

/** speak has a screen reader say something, after a rest of the hand. */
export function speak(says) {
  clearTimeout(timer);
  timer = setTimeout(() => {
    const live = byId('announce');
    if (live) live.textContent = says();
  }, REST);
}
