// The token strip. The words, which pin their rows, are one stop of the Tab key. The bars next to
// them, which mask a word or restore it, are another. The arrow keys move within each group.

import { sweep } from './sweep.js';

const strip = () => document.getElementById('tokens');
const KINDS = ['.word', '.hide'];
const buttons = (kind) => [...strip().querySelectorAll(kind)];

/**
 * toggled returns the URL of a button: for the text as shown, not for a text during typing.
 * @param {HTMLButtonElement} button
 */
export function toggled(button) {
  const url = new URL(location.href);
  url.searchParams.set(button.name, button.value);
  url.hash = '';
  return url;
}

/** stops leaves one button of each kind in the Tab order: the focused one, or the first. */
export function stops() {
  for (const kind of KINDS) {
    const all = buttons(kind), at = all.includes(document.activeElement) ? document.activeElement : all[0];
    for (const button of all) button.tabIndex = button === at ? 0 : -1;
  }
}

/**
 * connect handles keys on the strip, and shows the row of the focused word.
 * @param {import('./wall.js').Wall} wall
 */
export function connect(wall) {
  strip().addEventListener('keydown', (event) => walk(event, wall));
  sweep(
    strip(),
    wall,
    ({ target }) => Number(target?.closest('.token')?.dataset.i ?? NaN),
    ({ target }) => !target.closest('.hide'),
  );
  strip().addEventListener('focusin', (event) => {
    const chip = event.target.closest('.token');
    if (chip) wall.point({ row: Number(chip.dataset.i), col: null });
    stops();
  });
  strip().addEventListener('focusout', () => wall.point(null));
}

/**
 * walk handles a key on the strip.
 * @param {KeyboardEvent} event
 * @param {import('./wall.js').Wall} wall
 */
function walk(event, wall) {
  const button = event.target.closest(KINDS.join());
  if (!button || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === 'm' || event.key === 'M') {
    event.preventDefault();
    hiding(button)?.click();
    return;
  }
  const all = buttons(KINDS.find((kind) => button.matches(kind))), i = all.indexOf(button);
  const to = { ArrowLeft: i - 1, ArrowUp: i - 1, ArrowRight: i + 1, ArrowDown: i + 1, Home: 0, End: all.length - 1 }[
    event.key
  ];
  if (to === undefined) return;
  event.preventDefault();
  const goal = all[Math.min(all.length - 1, Math.max(0, to))], place = (one) => Number(one.closest('.token').dataset.i);
  if (event.shiftKey && button.matches('.word')) {
    if (!wall.swept) begin = place(button);
    wall.sweep(begin, place(goal));
  } else {
    wall.swept = false;
  }
  goal.focus();
}

let begin = 0; // word at which a selection with keys begins

/** hiding returns the bar of the word that contains a button; the last token of the word has it. */
function hiding(button) {
  let chip = button.closest('.token');
  while (chip && !chip.querySelector('.hide') && chip.nextElementSibling?.matches('.joined'))
    chip = chip.nextElementSibling;
  return chip?.querySelector('.hide');
}

/** press marks whether the row of a word is pinned. */
export function press(chip, pinned) {
  const button = chip.querySelector('.word'), says = String(pinned);
  if (button && button.getAttribute('aria-pressed') !== says) button.setAttribute('aria-pressed', says);
}

/** away returns the distance of a chip outside the strip's visible part from its middle, or null if it is
 * visible. */
export function away(strip, i) {
  const chip = strip.children[i];
  if (!chip) return null;
  const outer = strip.getBoundingClientRect(), inner = chip.getBoundingClientRect();
  const down = inner.top < outer.top || inner.bottom > outer.bottom,
    across = inner.left < outer.left || inner.right > outer.right;
  return down || across
    ? {
        top: down ? inner.top - outer.top - outer.height / 2 : 0,
        left: across ? inner.left - outer.left - outer.width / 2 : 0,
      }
    : null;
}
