// The entry point: connects the main view, the form, the history and the pointer. Pages without
// maps need no script.

import { Wall } from './wall.js';
import { Page } from './page.js';
import { onKey } from './keys.js';
import { toggled, stops, connect } from './strip.js';
import { stepHead, together } from './heads.js';
import { connect as connectOrder } from './order.js';
import { connect as connectFamilies, search } from './families.js';
import { follow, bring } from './swipe.js';
import { flip } from './depth.js';
import { Influence } from './influence.js';
import { Picking } from './picking.js';
import { connect as connectCut } from './cut.js';
import { Large } from './large.js';
import { Race, press } from './race.js';
import { followRow, put } from './look.js';
import { cellAt } from './scatter.js';
import { Embedded, embedded } from './embedded.js';
import { ask } from './explain.js';
import { through } from './through.js';
import { citations } from './citation.js';
import { connect as connectDrop } from './drop.js';
import { Matrix } from './matrixcard.js';
import { connect as connectSaved } from './saved.js';
import { connect as connectTerms } from './terms.js';
import { byId, el } from './dom.js';
import { named } from './pin.js';
import { sweep, rowAt } from './sweep.js';
import { t } from './messages.js';

citations();
connectSaved();
connectTerms();
const matrix = document.querySelector('main.wall') ? start() : null;
if (document.querySelector('.brand')) connectDrop(matrix);

function start() {
  const form = byId('controls');
  const wall = new Wall((pin, mode) => {
    const url = new URL(location.href),
      at = pin && named(pin);
    if (pin) url.searchParams.set('pin', at);
    else url.searchParams.delete('pin');
    page.go(url.pathname + url.search, mode);
    remember(form, 'pin', at);
    followRow(pin?.row ?? null);
  });
  const show = (answer) => {
    wall.fill(answer);
    matrix?.fill();
    stops();
    follow(byId('cards'), byId('switcher'));
    bring(byId('cards'));
    document.dispatchEvent(new Event('shown')); // to scripts of pages
  };
  const influence = new Influence(show, () => page.visit(location.href, 'keep', false)),
    race = new Race();
  const matrix = byId('matrix-begin') && new Matrix(wall);
  together(form);
  const page = new Page({
    fill(answer) {
      show(answer);
      influence.fill(answer);
      race.fill();
      frame?.answered();
    },
    moved() {
      frame?.moved();
    },
    leave(url) {
      influence.leave(url);
      race.leave();
    },
    stay() {
      influence.stay();
      race.stay();
    },
    typed() {
      wall.hold();
    },
    repaint() {
      wall.repaint();
      document.dispatchEvent(new Event('repainted'));
    },
  });
  const frame = embedded ? new Embedded(page) : null;
  document.addEventListener('click', ({ target }) => {
    if (target.id === 'race-stop') page.stop();
  });
  form.addEventListener('submit', ({ submitter }) => {
    if (submitter?.matches('.hide')) page.visit(toggled(submitter), 'push', true);
  });
  wall.large = new Large(wall, {
    step,
    changed(id) {
      page.go(put(location.pathname + location.search, 'large', id), 'push');
      remember(form, 'large', id);
    },
  });
  hand(wall);
  keyboard(wall, connectCut(page, wall));
  connect(wall);
  connectFamilies();
  search();
  if (byId('c-mechanisms')) connectOrder(page);
  flip(() => page.busy());
  page.first().then(() => {
    byId('keys').hidden = false;
  });
  return matrix;
}

/** remember stores values without a control in the form's hidden fields. */
function remember(form, name, value) {
  form.querySelector(`input[name="${name}"]`)?.remove();
  if (value) byId('hidden').append(el('input', { type: 'hidden', name, value }));
}

const plainly = (event) => event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;

/** ofPlot returns the pair of tokens at a point of a plot, in the page's tokens. */
const ofPlot = (wall, event) => {
  const cell = cellAt(event),
    card = cell && wall.cardOf(event.target);
  return card ? card.leave(cell) : cell;
};

/** hand connects mouse and touch. */
function hand(wall) {
  const cards = byId('cards'),
    tokens = byId('tokens');
  cards.addEventListener('pointermove', (event) => {
    if (event.pointerType === 'touch' || wall.views.of(event.target)) return;
    const card = event.target.closest('.map') && wall.cardOf(event.target);
    if (card) wall.lens = card.id;
    wall.point(card ? card.cellAt(event.clientX, event.clientY) : ofPlot(wall, event));
  });
  cards.addEventListener('pointerleave', () => wall.point(null));
  cards.addEventListener('click', (event) => {
    const table = event.target.closest('.as-table');
    if (table) return wall.toggle(table.closest('.card').dataset.mechanism);
    if (event.target.closest('.enlarge, .caption, .axis-title') && plainly(event) && wall.cardOf(event.target)) {
      event.preventDefault();
      return wall.large.open(wall.cardOf(event.target).id);
    }
    const card = event.target.closest('.map') && wall.cardOf(event.target);
    const cell = card ? card.cellAt(event.clientX, event.clientY) : ofPlot(wall, event);
    if (cell) wall.pin(cell);
  });
  sweep(cards, wall, (at) => {
    const card = at.target?.closest('.map') && wall.cardOf(at.target);
    return rowAt(card, card?.map, at);
  });
  cards.addEventListener('dblclick', (event) => {
    const card = event.target.closest('.map') && wall.cardOf(event.target);
    if (card) wall.large.open(card.id);
  });
  tokens.addEventListener('pointerover', (event) => {
    const chip = event.target.closest('.token');
    wall.point(chip ? { row: Number(chip.dataset.i), col: null } : null);
  });
  tokens.addEventListener('pointerleave', () => wall.point(null));
  tokens.addEventListener('click', (event) => {
    const chip = event.target.closest('.token');
    if (!chip || event.target.closest('.hide')) return;
    event.preventDefault(); // without scripts the word sends the form
    wall.pin({ row: Number(chip.dataset.i), col: null });
  });
  byId('readings').addEventListener('click', (event) => {
    const line = event.target.closest('.reading');
    if (line) wall.through(line.dataset.mechanism);
  });
  byId('unpin').addEventListener('click', () => wall.pin(null));
  copying(byId('copy'), wall);
}

/** copying makes a button copy the pinned values to the clipboard, and confirms it. */
function copying(button, wall) {
  const usual = button.textContent;
  button.addEventListener('click', async () => {
    const done = await navigator.clipboard?.writeText(wall.copy()).then(
      () => 'copied',
      () => 'denied',
    );
    if (done) button.textContent = t(`script.button.${done}`);
    setTimeout(() => {
      button.textContent = usual;
    }, 1500);
  });
}

/** help shows the list of keys, which is not part of the page until then. */
function help() {
  const dialog = byId('help'),
    kept = dialog.querySelector('template');
  kept?.replaceWith(kept.content);
  dialog.showModal();
}

function keyboard(wall, cut) {
  const picking = new Picking(byId('cards'));
  byId('keys').addEventListener('click', help);
  document.addEventListener('keydown', (event) =>
    onKey(event, {
      move: (dr, dc) => {
        wall.move(dr, dc);
        wall.large.reveal();
      },
      jump: (where) => {
        wall.jump(where);
        wall.large.reveal();
      },
      enlarge: (target) => wall.large.toggle(wall.cardOf(target)?.id),
      nth: (n) => wall.large.toggle(wall.cards[n - 1]?.id),
      zoom: (by) => wall.large.zoom(by),
      example: (which) => byId(`look-${which}`)?.click(),
      pin: () => {
        const at = wall.at();
        wall.pin(at?.row == null ? { row: at?.col ?? 0, col: at?.col ?? 0 } : at);
      },
      unpin: (target) => {
        if (picking.drop()) return;
        if (wall.pinned) wall.pin(null);
        else if (!press('race-close') && !target.matches(':is(input, textarea, select)'))
          document.querySelector('[data-leave]')?.click();
      },
      race: press,
      compare: (target) => picking.pick(target),
      cut,
      through: (target) => through(wall.cardOf(target)?.element),
      why: (target) => ask(wall.cardOf(target)?.element, wall.at()),
      step,
      head: (target, by) => {
        if (!wall.large.stepHead(by) && !stepHead(target, by)) step('c-head', by);
      },
      write: () => byId('c-text').focus(),
      compact: () => byId('compact')?.click(),
      help,
      walk: (target, dr, dc) => wall.views.move(target, dr, dc),
      plane: (target, by) => wall.views.step(target, by),
    }),
  );
  document.addEventListener('focusin', (event) => {
    if (event.target.matches(':is(.map, .lens):focus-visible') && !wall.at()) wall.go({ row: 0, col: 0 });
  });
}

/** step selects a neighbouring option of a control. */
function step(id, by) {
  const select = byId(id);
  if (!select) return;
  const n = select.options.length;
  const next =
    id === 'c-norm' ? (select.selectedIndex + by + n) % n : Math.min(n - 1, Math.max(0, select.selectedIndex + by));
  if (next === select.selectedIndex) return;
  select.selectedIndex = next;
  select.dispatchEvent(new Event('change', { bubbles: true }));
}
