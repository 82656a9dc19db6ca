// The keyboard. Keys of a map work while it has the focus only, so that a page
// around an embedded map keeps its own.

/**
 * @typedef {object} Actions
 * @property {(dr: number, dc: number) => void} move
 * @property {(where: 'row-start'|'row-end'|'first'|'last') => void} jump
 * @property {() => void} pin
 * @property {() => void} unpin
 * @property {(control: string, by: number) => void} step
 * @property {() => void} write
 * @property {() => void} help
 * @property {(target: Element, dr: number, dc: number) => void} walk in a map beside the main one
 * @property {(target: Element, by: number) => void} plane to another plane of it
 */

/**
 * onKey answers a key.
 * @param {KeyboardEvent} event
 * @param {Actions} act
 */
export function onKey(event, act) {
  if (event.altKey || event.metaKey || event.isComposing) return;
  const inMap = event.target.closest?.('.map');
  const inSheet = event.target.matches?.('.sheet');
  const nowhere = event.target === document.body;
  if (!inMap && !inSheet && !nowhere && event.key !== 'Escape') return;
  const run = (inMap && mapKey(event, act)) || (inSheet && sheetKey(event, act)) || pageKey(event, act);
  if (!run) return;
  event.preventDefault();
  run();
}

function pageKey(event, act) {
  if (event.ctrlKey) return null;
  switch (event.key) {
    case '/': return act.write;
    case '?': return act.help;
    case 'Escape': return document.querySelector('dialog[open], details.menu[open]') ? null : act.unpin;
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
    case 'Enter': return act.pin;
    case ',': return () => act.step('c-layer', -1);
    case '.': return () => act.step('c-layer', 1);
    case '-': return () => act.step('c-head', -1);
    case '=': case '+': return () => act.step('c-head', 1);
    case 'n': return () => act.step('c-norm', 1);
    default: return null;
  }
}
