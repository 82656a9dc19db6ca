// Pointer and wheel on an enlarged map: hover, pin, zoom, move.

import { selecting, sweep, rowAt } from './sweep.js';

const DRAG = 4; // CSS pixels from which a press counts as a drag
const WHEEL = 0.0022; // change of the zoom's logarithm per pixel of the wheel

/**
 * gestures connects a box.
 * @param {HTMLElement} box
 * @param {import('./large.js').Large} large
 */
export function gestures(box, large) {
  const down = new Map(); // pressed pointers by id
  let moved = false, spread = 0;
  const place = ({ clientX, clientY }) => {
    const at = box.getBoundingClientRect();
    return { x: (clientX - at.left) / at.width, y: (clientY - at.top) / at.height, px: clientX, py: clientY };
  };
  const cell = (event) => large.card.leave(large.lens.cellAt(event.clientX, event.clientY));
  const point = (event) => large.wall.point(cell(event));

  const row = (at) => rowAt(large.card, large.lens, at);
  sweep(box, large.wall, row, ({ shiftKey }) => large.eye.zoom === 1 || shiftKey); // otherwise a drag moves the map
  const labels = large.dialog.querySelector('.large-rows');
  sweep(labels, large.wall, row);
  labels.addEventListener('click', (event) => {
    if (!Number.isNaN(row(event))) large.wall.pin({ row: row(event), col: null });
  });
  box.addEventListener('pointerdown', (event) => {
    down.set(event.pointerId, place(event));
    moved = down.size > 1;
    spread = 0;
  });
  box.addEventListener('pointermove', (event) => {
    if (!large.lens || selecting() || (event.shiftKey && event.buttons)) return;
    if (!down.has(event.pointerId)) return event.pointerType === 'touch' ? undefined : point(event);
    const from = down.get(event.pointerId), to = place(event);
    if (!moved && Math.hypot(to.px - from.px, to.py - from.py) < DRAG) return;
    if (!moved) box.setPointerCapture(event.pointerId);
    moved = true;
    down.set(event.pointerId, to);
    if (down.size > 1) pinch([...down.values()]);
    else
      large.lens.moveTo(large.eye.x - (to.x - from.x) / large.eye.zoom, large.eye.y - (to.y - from.y) / large.eye.zoom);
    large.paint();
  });
  const pinch = ([a, b]) => {
    const now = Math.hypot(a.px - b.px, a.py - b.py);
    if (spread) large.lens.zoomTo(large.eye.zoom * now / spread, { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
    spread = now;
  };
  for (const end of ['pointerup', 'pointercancel'])
    box.addEventListener(end, ({ pointerId }) => {
      down.delete(pointerId);
      spread = 0;
    });
  box.addEventListener('pointerleave', () => { if (!down.size) large.wall.point(null); });
  box.addEventListener('click', (event) => {
    const at = !moved && large.lens && cell(event);
    if (at) large.wall.pin(at);
    moved = false;
  });
  box.addEventListener('wheel', (event) => {
    if (!large.lens) return;
    event.preventDefault();
    // browsers report a pinch on a touch pad as Ctrl with small steps
    const pixels = event.deltaY * (event.deltaMode ? 16 : 1) * (event.ctrlKey ? 4 : 1);
    large.lens.zoomTo(large.eye.zoom * Math.exp(-WHEEL * pixels), place(event));
    large.paint();
  }, { passive: false });
}
