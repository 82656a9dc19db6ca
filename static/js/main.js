// The beginning: connects the wall, the form, the history and the hand. Pages
// without maps need no script.

import { Wall } from './wall.js';
import { Page } from './page.js';
import { onKey } from './keys.js';
import { toggled, stops, connect } from './strip.js';
import { follow } from './swipe.js';
import { flip } from './depth.js';
import { Steps } from './steps.js';
import { Training } from './training.js';
import { byId, el } from './dom.js';
import { t } from './messages.js';

if (document.querySelector('main.wall')) start();
else if (document.querySelector('main.writing #controls')) new Steps().page.first();

function start() {
  const form = byId('controls'), training = new Training();
  const wall = new Wall((pin) => {
    const url = new URL(location.href), at = pin && `${pin.row + 1}.${pin.col + 1}`;
    if (pin) url.searchParams.set('pin', at);
    else url.searchParams.delete('pin');
    page.go(url.pathname + url.search, 'replace');
    remember(form, at);
  });
  const page = new Page({
    fill(answer) {
      wall.fill(answer);
      stops();
      follow(byId('cards'), byId('switcher'));
      training.fill();
    },
    repaint() {
      wall.repaint();
      training.repaint();
    },
  });
  form.addEventListener('submit', ({ submitter }) => { if (submitter?.matches('.hide')) page.visit(toggled(submitter), 'push', true); });
  hand(wall);
  keyboard(wall);
  connect(wall);
  flip(() => page.busy());
  page.first().then(() => { byId('keys').hidden = false; });
}

/** remember keeps the pin among the form's fields. */
function remember(form, pin) {
  form.querySelector('input[name="pin"]')?.remove();
  if (!pin) return;
  byId('hidden').append(el('input', { type: 'hidden', name: 'pin', value: pin }));
}

/** hand connects mouse and finger. */
function hand(wall) {
  const cards = byId('cards'), tokens = byId('tokens');
  cards.addEventListener('pointermove', (event) => {
    if (event.pointerType === 'touch' || wall.views.of(event.target)) return;
    const card = event.target.closest('.map') && wall.cardOf(event.target);
    wall.point(card ? card.map.cellAt(event.clientX, event.clientY) : null);
  });
  cards.addEventListener('pointerleave', () => wall.point(null));
  cards.addEventListener('click', (event) => {
    const table = event.target.closest('.as-table');
    if (table) return wall.toggle(table.closest('.card').dataset.mechanism);
    const card = event.target.closest('.map') && wall.cardOf(event.target);
    if (card) wall.pin(card.map.cellAt(event.clientX, event.clientY));
  });
  tokens.addEventListener('pointerover', (event) => {
    const chip = event.target.closest('.token');
    wall.point(chip ? { row: Number(chip.dataset.i), col: null } : null);
  });
  tokens.addEventListener('pointerleave', () => wall.point(null));
  tokens.addEventListener('click', (event) => {
    const chip = event.target.closest('.token');
    if (chip && !event.target.closest('.hide')) wall.pin({ row: Number(chip.dataset.i), col: wall.pinned ? wall.pinned.col : Number(chip.dataset.i) });
  });
  byId('unpin').addEventListener('click', () => wall.pin(null));
  copying(byId('copy'), wall);
}

/** copying has a button put what is pinned on the clipboard, and say so. */
function copying(button, wall) {
  const usual = button.textContent;
  button.addEventListener('click', async () => {
    const done = await navigator.clipboard?.writeText(wall.copy()).then(() => 'copied', () => 'denied');
    if (done) button.textContent = t(`script.button.${done}`);
    setTimeout(() => { button.textContent = usual; }, 1500);
  });
}

function keyboard(wall) {
  const help = byId('help');
  byId('keys').addEventListener('click', () => help.showModal());
  document.addEventListener('keydown', (event) => onKey(event, {
    move: (dr, dc) => wall.move(dr, dc),
    jump: (where) => wall.jump(where),
    pin: () => { const at = wall.at(); wall.pin({ row: at?.row ?? 0, col: at?.col ?? 0 }); },
    unpin: () => { if (wall.pinned) wall.pin(null); },
    step,
    write: () => byId('c-text').focus(),
    help: () => help.showModal(),
    walk: (target, dr, dc) => wall.views.move(target, dr, dc),
    plane: (target, by) => wall.views.step(target, by),
  }));
  document.addEventListener('focusin', (event) => {
    if (event.target.matches('.map:focus-visible') && !wall.at()) wall.go({ row: 0, col: 0 });
  });
}

/** step goes to a neighbouring option of a control. */
function step(id, by) {
  const select = byId(id);
  if (!select) return;
  const n = select.options.length;
  const next = id === 'c-norm' ? (select.selectedIndex + by + n) % n : Math.min(n - 1, Math.max(0, select.selectedIndex + by));
  if (next === select.selectedIndex) return;
  select.selectedIndex = next;
  select.dispatchEvent(new Event('change', { bubbles: true }));
}
