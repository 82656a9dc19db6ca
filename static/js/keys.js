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
 */

/**
 * onKey answers a key.
 * @param {KeyboardEvent} event
 * @param {Actions} act
 */
export function onKey(event, act) {
  if (event.altKey || event.metaKey || event.isComposing) return;
  const inMap = event.target.closest?.('.map');
  const nowhere = event.target === document.body;
  if (!inMap && !nowhere && event.key !== 'Escape') return;
  const run = (inMap && mapKey(event, act)) || pageKey(event, act);
  if (!run) return;
  event.preventDefault();
  run();
}

function pageKey(event, act) {
  if (event.ctrlKey) return null;
  switch (event.key) {
    case '/': return act.write;
    case '?': return act.help;
    case 'Escape': return document.querySelector('dialog[open], details[open]') ? null : act.unpin;
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
