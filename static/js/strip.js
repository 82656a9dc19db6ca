// The token strip: the buttons that hide a word behind [MASK] or show it again are one stop
// of the Tab key, and the arrow keys walk among them.

const strip = () => document.getElementById('tokens');
const buttons = () => [...strip().querySelectorAll('.hide')];

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

/** stops leaves one button in the order of the Tab key: the focused one, or the first. */
export function stops() {
  const all = buttons(), at = all.includes(document.activeElement) ? document.activeElement : all[0];
  for (const button of all) button.tabIndex = button === at ? 0 : -1;
}

/**
 * connect answers keys on the strip, and shows the row of the word that has the focus.
 * @param {import('./wall.js').Wall} wall
 */
export function connect(wall) {
  strip().addEventListener('keydown', walk);
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
 */
function walk(event) {
  const button = event.target.closest('.hide');
  if (!button || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === 'm' || event.key === 'M') {
    event.preventDefault();
    button.click();
    return;
  }
  const all = buttons(), i = all.indexOf(button);
  const to = { ArrowLeft: i - 1, ArrowUp: i - 1, ArrowRight: i + 1, ArrowDown: i + 1, Home: 0, End: all.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  all[Math.min(all.length - 1, Math.max(0, to))].focus();
}
