// The keyboard. Keys of a map work only while it has the focus, so that a page around an embedded
// map keeps its own keys.

/**
 * @typedef {object} Actions
 * @property {(dr: number, dc: number) => void} move
 * @property {(where: 'row-start'|'row-end'|'first'|'last') => void} jump
 * @property {() => void} pin
 * @property {(target: Element) => void} unpin, or close the fill-in board, or leave the tour
 * @property {(control: string, by: number) => void} step
 * @property {(target: Element) => void} enlarge the map of a card, or back to all
 * @property {(n: number) => void} nth enlarges the n-th card, or goes back
 * @property {(by: number) => void} zoom in an enlarged map; 0: all of it
 * @property {(which: 'previous'|'next') => void} example
 * @property {(target: Element, by: number) => void} head of the card of a map
 * @property {(target: Element) => void} compare picks the map
 * @property {(link: string) => void} race follows a link of the fill-in board, or to it
 * @property {(target: Element, kind: 'cell'|'word') => void} cut ablates the cell or word under the pointer in the card
 * @property {(target: Element) => void} why traces the number under the pointer
 * @property {(target: Element) => void} through opens the steps of the card's forward pass
 * @property {() => void} compact
 * @property {() => void} write
 * @property {() => void} help
 * @property {(target: Element, dr: number, dc: number) => void} walk in a map next to the main one
 * @property {(target: Element, by: number) => void} plane selects another plane of it
 */

/**
 * onKey handles a key.
 * @param {KeyboardEvent} event
 * @param {Actions} act
 */
export function onKey(event, act) {
  if (event.altKey || event.metaKey || event.isComposing) return;
  const inMap = event.target.closest?.('.map, .lens'), inLarge = event.target.closest?.('.large');
  const inSheet = event.target.matches?.('.sheet'), inRace = event.target.closest?.('.race');
  const nowhere = event.target === document.body;
  if (!inMap && !inSheet && !nowhere && !inLarge && !inRace && event.key !== 'Escape') return;
  const run =
    (inMap && mapKey(event, act)) ||
    (inLarge && zoomKey(event, act)) ||
    (inSheet && sheetKey(event, act)) ||
    (inRace && raceKey(event, act)) ||
    pageKey(event, act) ||
    presentKey(event, act);
  if (!run) return;
  event.preventDefault();
  run();
}

function pageKey(event, act) {
  if (event.ctrlKey) return null;
  const dialog = document.querySelector('dialog[open]');
  switch (event.key) {
    case '/': return dialog ? null : act.write;
    case '?': return act.help;
    case 'r': return dialog ? null : () => act.race('race-open');
    case 'v': return dialog ? null : act.compact;
    case 'Escape': return dialog || document.querySelector('details.menu[open]') ? null : () => act.unpin(event.target);
    default: return null;
  }
}

/** presentKey handles keys in presentation mode: arrows change heads and layers, numbers enlarge cards. */
function presentKey(event, act) {
  if (event.ctrlKey || document.documentElement.dataset.present !== 'true') return null;
  switch (event.key) {
    case 'ArrowLeft': return () => act.head(event.target, -1);
    case 'ArrowRight': return () => act.head(event.target, 1);
    case 'ArrowUp': return () => act.step('c-layer', -1);
    case 'ArrowDown': return () => act.step('c-layer', 1);
    case 'PageUp': return () => act.example('previous');
    case 'PageDown': return () => act.example('next');
    default: return /^[1-9]$/.test(event.key) ? () => act.nth(Number(event.key)) : null;
  }
}

/** zoomKey handles keys in the window of an enlarged map. */
function zoomKey(event, act) {
  if (event.ctrlKey) return null;
  switch (event.key) {
    case 'z': return () => act.zoom(1);
    case 'Z': return () => act.zoom(-1);
    case '0': return () => act.zoom(0);
    case 'f': return () => act.enlarge(event.target);
    default: return null;
  }
}

/** raceKey handles keys on the fill-in board. */
function raceKey(event, act) {
  if (event.ctrlKey) return null;
  switch (event.key) {
    case 'ArrowLeft': return () => act.race('race-previous');
    case 'ArrowRight': return () => act.race('race-next');
    case 'Escape': return () => act.race('race-close');
    default: return null;
  }
}

function sheetKey(event, act) {
  if (event.ctrlKey) return null;
  const far = 1e6, walk = (dr, dc) => () => act.walk(event.target, dr, dc);
  switch (event.key) {
    case 'ArrowLeft': return walk(0, -1);
    case 'ArrowRight': return walk(0, 1);
    case 'ArrowUp': return walk(-1, 0);
    case 'ArrowDown': return walk(1, 0);
    case 'PageUp': return walk(-10, 0);
    case 'PageDown': return walk(10, 0);
    case 'Home': return walk(0, -far);
    case 'End': return walk(0, far);
    case '[': return () => act.plane(event.target, -1);
    case ']': return () => act.plane(event.target, 1);
    default: return null;
  }
}

function mapKey(event, act) {
  if (event.ctrlKey && event.key !== 'Home' && event.key !== 'End') return null;
  switch (event.key) {
    case 'ArrowLeft': return () => act.move(0, -1);
    case 'ArrowRight': return () => act.move(0, 1);
    case 'ArrowUp': return () => act.move(-1, 0);
    case 'ArrowDown': return () => act.move(1, 0);
    case 'PageUp': return () => act.move(-10, 0);
    case 'PageDown': return () => act.move(10, 0);
    case 'Home': return () => act.jump(event.ctrlKey ? 'first' : 'row-start');
    case 'End': return () => act.jump(event.ctrlKey ? 'last' : 'row-end');
    case 'Enter': return event.target.closest('.large') ? act.pin : () => act.enlarge(event.target);
    case 'f': return () => act.enlarge(event.target);
    case ' ': return act.pin;
    case ',': return () => act.step('c-layer', -1);
    case '.': return () => act.step('c-layer', 1);
    case '-': return () => act.head(event.target, -1);
    case '=': case '+': return () => act.head(event.target, 1);
    case 'n': return () => act.step('c-norm', 1);
    case 'c': return () => act.compare(event.target);
    case 'w': return () => act.why(event.target);
    case 's': return () => act.through(event.target);
    case 'x': return () => act.cut(event.target, 'cell');
    case 'X': return () => act.cut(event.target, 'word');
    default: return null;
  }
}
