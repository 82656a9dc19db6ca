// The token strip. The words, which pin their rows, are one stop of the Tab key, and so are
// the bars beside them, which hide a word behind [MASK] or show it again; the arrow keys walk
// among the ones or the others.

const strip = () => document.getElementById('tokens');
const KINDS = ['.word', '.hide'];
const buttons = (kind) => [...strip().querySelectorAll(kind)];

/**
 * toggled is the address that a button leads to: that of the page as shown, not of a text
 * that is being typed.
 * @param {HTMLButtonElement} button
 */
export function toggled(button) {
  const url = new URL(location.href);
  url.searchParams.set(button.name, button.value);
  url.hash = '';
  return url;
}

/** stops leaves one button of a kind in the order of the Tab key: the focused one, or the first. */
export function stops() {
  for (const kind of KINDS) {
    const all = buttons(kind), at = all.includes(document.activeElement) ? document.activeElement : all[0];
    for (const button of all) button.tabIndex = button === at ? 0 : -1;
  }
}

/**
 * connect answers keys on the strip, and shows the row of the word that has the focus.
 * @param {import('./wall.js').Wall} wall
 */
export function connect(wall) {
  strip().addEventListener('keydown', (event) => walk(event, wall));
  sweep(wall);
  strip().addEventListener('focusin', (event) => {
    const chip = event.target.closest('.token');
    if (chip) wall.point({ row: Number(chip.dataset.i), col: null });
    stops();
  });
  strip().addEventListener('focusout', () => wall.point(null));
}

/**
 * walk answers a key on the strip.
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

let begin = 0; // the word from which keys sweep

/** sweep pins the rows of all words over which a pressed mouse goes. */
function sweep(wall) {
  const place = ({ target }) => Number(target.closest('.token')?.dataset.i ?? NaN);
  let from = NaN;
  strip().addEventListener('pointerdown', (event) => {
    wall.swept = false;
    from = event.pointerType === 'mouse' && event.button === 0 && !event.target.closest('.hide') ? place(event) : NaN;
  });
  addEventListener('pointerup', () => {
    wall.swept = false;
    from = NaN;
  });
  strip().addEventListener('pointerover', (event) => {
    const to = place(event);
    if (event.buttons !== 1 || Number.isNaN(from) || Number.isNaN(to) || (to === from && !wall.swept)) return;
    wall.sweep(from, to);
  });
}

/** hiding is the bar of the word that a button stands in, whose last piece has it. */
function hiding(button) {
  let chip = button.closest('.token');
  while (chip && !chip.querySelector('.hide') && chip.nextElementSibling?.matches('.joined'))
    chip = chip.nextElementSibling;
  return chip?.querySelector('.hide');
}

/** press says whether the row of a word is pinned. */
export function press(chip, pinned) {
  const button = chip.querySelector('.word'), says = String(pinned);
  if (button && button.getAttribute('aria-pressed') !== says) button.setAttribute('aria-pressed', says);
}

/** away is how far a chip that is out of sight is from the middle of the strip; null: it is in sight. */
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
