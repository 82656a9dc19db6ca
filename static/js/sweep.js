// Several rows at once: a mouse that is dragged over them, or a finger that rests and is then dragged. A finger that
// moves at once scrolls, as everywhere.

const REST = 400; // ms until a finger rests
const SLIP = 8; // CSS pixels by which a click or a resting finger may move
const CLICK = 400; // ms after a drag in which a browser sends its click

let going = false;

/** selecting reports whether a drag selects rows at the moment. */
export const selecting = () => going;

/**
 * @typedef {{target: Element, clientX: number, clientY: number, shiftKey?: boolean}} Point
 */

/**
 * sweep pins the mean of the rows over which a visitor drags within a box.
 * @param {HTMLElement} box
 * @param {import('./wall.js').Wall} wall
 * @param {(at: Point) => number} row the row of the page at a point; NaN: none
 * @param {(at: Point) => boolean} [drags] whether a drag of the mouse that begins here selects
 */
export function sweep(box, wall, row, drags = () => true) {
  let from = NaN, timer = 0, swept = false, start = null;
  const end = () => {
    clearTimeout(timer);
    from = NaN;
    going = wall.swept = false;
    if (swept) setTimeout(() => { swept = false; }, CLICK);
  };
  const near = (at) => Math.hypot(at.clientX - start.clientX, at.clientY - start.clientY) < SLIP;
  const begin = (at) => {
    start = at;
    from = row(at);
    return !Number.isNaN(from);
  };
  const go = (at) => {
    const to = row(at);
    if (Number.isNaN(from) || Number.isNaN(to) || (!going && (to === from || near(at)))) return;
    going = swept = true;
    wall.sweep(from, to);
  };
  box.addEventListener('pointerdown', (event) => {
    if (event.pointerType === 'touch') return;
    end();
    swept = false;
    if (event.button === 0 && drags(event)) begin(event);
  });
  box.addEventListener('pointermove', (event) => {
    if (event.pointerType !== 'touch' && event.buttons === 1) go(event);
  });
  addEventListener('pointerup', (event) => {
    if (event.pointerType !== 'touch') end();
  });
  box.addEventListener('touchstart', ({ touches }) => {
    end();
    swept = false;
    if (touches.length > 1) return;
    start = pointOf(touches[0]);
    timer = setTimeout(() => {
      if (!begin(start)) return;
      going = swept = true;
      wall.sweep(from, from);
      navigator.vibrate?.(10);
    }, REST);
  }, { passive: true });
  box.addEventListener('touchmove', (event) => {
    const at = pointOf(event.touches[0]);
    if (going) {
      event.preventDefault(); // does not scroll
      go(at);
    } else if (!near(at)) clearTimeout(timer);
  }, { passive: false });
  for (const name of ['touchend', 'touchcancel']) box.addEventListener(name, end);
  box.addEventListener('contextmenu', (event) => { if (going) event.preventDefault(); });
  box.addEventListener('click', (event) => {
    if (!swept) return;
    swept = false;
    event.preventDefault();
    event.stopImmediatePropagation(); // it would pin one cell
  }, true);
}

/** pointOf returns where a finger is, also beyond the element on which it began. */
const pointOf = ({ clientX, clientY }) => ({ target: document.elementFromPoint(clientX, clientY), clientX, clientY });

/**
 * rowAt returns the row of the page at a point of a card's map, or NaN: in arcs, in maps without rows of tokens, and
 * where the rows have another order than the text.
 * @param {import('./card.js').Card|undefined} card
 * @param {import('./sheet.js').Sheet|null|undefined} map of the card, or its enlarged copy
 * @param {Point} at
 */
export function rowAt(card, map, at) {
  const numbers = card?.own?.numbers ?? [];
  if (!map?.pairs || card.arcs || numbers.some((n, i) => n < numbers[i - 1])) return NaN;
  return card.leave({ row: map.cellAt(at.clientX, at.clientY).row, col: null })?.row ?? NaN;
}
