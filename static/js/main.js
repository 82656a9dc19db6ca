// The beginning: connects the wall, the form, the history and the hand. Pages
// without a wall need no script.

import { Wall } from './wall.js';
import { urlOf, get, apply, numbers, permalink } from './page.js';
import { onKey } from './keys.js';
import { toggled, stops, connect } from './strip.js';
import { follow } from './swipe.js';
import { alone } from './views.js';
import { flip } from './depth.js';
import { write } from './write.js';

const REST = 200; // milliseconds without a keystroke before the text is sent
const byId = (id) => document.getElementById(id);

function start() {
  const form = byId('controls');
  const wall = new Wall();
  let request = new AbortController(), timer = 0, writing = false;
  let shown = location.pathname + location.search; // not its hash

  const say = (sentence) => {
    byId('message').textContent = sentence || '';
    byId('message').hidden = !sentence;
  };

  /** visit shows a URL. history: 'push', 'replace' or 'keep'. */
  async function visit(url, { history: mode, text }) {
    clearTimeout(timer);
    request.abort();
    request = new AbortController();
    const { signal } = request;
    form.setAttribute('aria-busy', 'true');
    try {
      const next = await get(url, signal);
      if (signal.aborted) return;
      const link = permalink(next.page, url);
      const restore = apply(next, { text });
      if (mode === 'push') history.pushState(null, '', link);
      else history.replaceState(null, '', link);
      shown = location.pathname + location.search;
      wall.fill(next.answer);
      stops();
      restore();
      follow(byId('cards'), byId('switcher'));
      say(next.complaint);
    } catch (error) {
      if (error.name === 'AbortError') return;
      say(`${error.message === 'Failed to fetch' ? 'The server does not answer.' : error.message} What you see is the last answer.`);
    } finally {
      if (request.signal === signal) form.removeAttribute('aria-busy');
    }
  }

  /** change follows a control at once; typing follows a rest, as one step of the history. */
  const change = () => { writing = false; visit(urlOf(form), { history: 'push', text: false }); };
  const typed = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      visit(urlOf(form), { history: writing ? 'replace' : 'push', text: false });
      writing = true;
    }, REST);
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (event.submitter?.matches('.hide')) visit(toggled(event.submitter), { history: 'push', text: true });
    else change();
  });
  form.addEventListener('change', (event) => { if (event.target.id !== 'c-text') change(); });
  byId('c-text').addEventListener('input', (event) => { if (!event.isComposing) typed(); });
  byId('c-text').addEventListener('compositionend', typed);
  byId('c-text').addEventListener('blur', () => { writing = false; });
  byId('c-text').addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    change();
  });
  addEventListener('popstate', () => {
    if (location.pathname + location.search === shown && location.hash) return;
    writing = false;
    visit(location.href, { history: 'keep', text: true });
  });

  wall.onPin = (pin) => {
    const url = new URL(location.href);
    if (pin) url.searchParams.set('pin', `${pin.row + 1}.${pin.col + 1}`);
    else url.searchParams.delete('pin');
    history.replaceState(null, '', url.pathname + url.search);
    remember(pin);
  };

  /** remember keeps the pin among the form's fields. */
  function remember(pin) {
    let field = form.querySelector('input[name="pin"]');
    if (!field) {
      field = document.createElement('input');
      field.type = 'hidden';
      field.name = 'pin';
      byId('hidden').append(field);
    }
    if (pin) field.value = `${pin.row + 1}.${pin.col + 1}`;
    else field.remove();
  }

  hand(wall, form, visit);
  keyboard(wall);
  connect(wall);
  flip(() => form.hasAttribute('aria-busy'));
  first(wall, say);
}

/** first takes over the page that the server sent. */
async function first(wall, say) {
  const { answer, complaint } = await numbers(byId('main'));
  wall.fill(answer);
  stops();
  say(complaint);
  follow(byId('cards'), byId('switcher'));
  byId('keys').hidden = false;
  document.documentElement.dataset.ready = 'true';
}

/** hand connects mouse and finger. */
function hand(wall, form, visit) {
  const cards = byId('cards'), tokens = byId('tokens');
  cards.addEventListener('pointermove', (event) => {
    if (event.pointerType === 'touch' || wall.views.over(event)) return;
    const card = event.target.closest('.map') && wall.cardOf(event.target);
    wall.point(card ? card.cellAt(event.clientX, event.clientY) : null);
  });
  cards.addEventListener('pointerleave', () => wall.point(null));
  cards.addEventListener('click', (event) => {
    const table = event.target.closest('.as-table');
    if (table) return wall.toggle(table.closest('.card').dataset.mechanism);
    const card = event.target.closest('.map') && wall.cardOf(event.target);
    if (card) wall.pin(card.cellAt(event.clientX, event.clientY));
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
  byId('copy').addEventListener('click', async (event) => {
    const button = event.currentTarget;
    await navigator.clipboard?.writeText(wall.copy()).then(() => { button.textContent = 'Copied'; }, () => { button.textContent = 'Not allowed'; });
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  });
  document.addEventListener('click', (event) => {
    const link = event.target.closest('a.enhance');
    if (link && event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      link.closest('details')?.removeAttribute('open');
      visit(link.href, { history: link.dataset.history || 'push', text: true });
    }
    for (const menu of document.querySelectorAll('details.menu[open]')) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });
}

function keyboard(wall) {
  const help = byId('help');
  byId('keys').addEventListener('click', () => help.showModal());
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') closeMenus(event.target);
    onKey(event, {
      move: (dr, dc) => wall.move(dr, dc),
      jump: (where) => wall.jump(where),
      pin: () => { const at = wall.current(); wall.pin({ row: at?.row ?? 0, col: at?.col ?? 0 }); },
      unpin: () => { if (wall.pinned) wall.pin(null); },
      step,
      write: () => byId('c-text').focus(),
      help: () => help.showModal(),
      walk: (target, dr, dc) => wall.views.move(target, dr, dc),
      plane: (target, by) => wall.views.step(target, by),
    });
  });
  document.addEventListener('focusin', (event) => {
    if (event.target.matches('.map:focus-visible') && !wall.current()) wall.go({ row: 0, col: 0 });
  });
}

function closeMenus(target) {
  const menu = target.closest?.('details.menu[open]');
  if (!menu) return;
  menu.open = false;
  menu.querySelector('summary').focus();
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

if (document.querySelector('main.wall')) start();
else if (document.querySelector('main.writing #controls')) write();
else if (document.querySelector('.more')) beside(document.querySelector('main'));

/** beside connects maps on a page without a wall. */
function beside(main) {
  const views = alone(main);
  const nothing = () => {};
  document.addEventListener('keydown', (event) => onKey(event, {
    move: nothing, jump: nothing, pin: nothing, unpin: nothing, step: nothing, write: nothing, help: nothing,
    walk: (target, dr, dc) => views.move(target, dr, dc),
    plane: (target, by) => views.step(target, by),
  }));
  document.documentElement.dataset.ready = 'true';
}
