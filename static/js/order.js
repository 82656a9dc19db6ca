// The order of the cards. A card can be dragged by its name; Alt and the arrow keys move the card
// with the focus. The order is in the URL.

import { byId } from './dom.js';
import { put } from './look.js';

const FAR = 6; // pixels from which a press counts as a drag
const STEPS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/**
 * connect handles pointer and keys.
 * @param {import('./page.js').Page} page
 */
export function connect(page) {
  const root = byId('cards');
  const cards = () => [...root.children].filter((card) => card.matches('.card[data-mechanism]'));
  const settle = () =>
    page.visit(
      put(
        location.pathname + location.search,
        'm',
        cards()
          .map((card) => card.dataset.mechanism)
          .join(','),
      ),
      'push',
      false,
    );
  root.addEventListener('keydown', (event) => {
    const card = event.altKey && !event.ctrlKey && !event.metaKey && STEPS[event.key] && event.target.closest('.card'),
      focused = event.target;
    if (!card) return;
    event.preventDefault();
    const to = cards()[cards().indexOf(card) + STEPS[event.key]];
    if (!to) return;
    to[STEPS[event.key] > 0 ? 'after' : 'before'](card);
    focused.focus();
    settle();
  });
  drag(root, settle);
}

/** drag moves a card with the pointer that holds its name. */
function drag(root, settle) {
  let card = null,
    from = null,
    moved = false;
  const head = (event) => event.target.closest?.('.cards > .card[data-mechanism] h2');
  root.addEventListener('dragstart', (event) => {
    if (head(event)) event.preventDefault();
  });
  root.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || event.pointerType === 'touch' || !head(event)) return;
    [card, from, moved] = [event.target.closest('.card'), event, false];
  });
  addEventListener('pointermove', (event) => {
    if (!card || !event.buttons || Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) < FAR) return;
    card.classList.add('dragged');
    const over = document.elementFromPoint(event.clientX, event.clientY)?.closest('.cards > .card[data-mechanism]');
    if (!over || over === card) return;
    moved = true;
    over[card.compareDocumentPosition(over) & Node.DOCUMENT_POSITION_FOLLOWING ? 'after' : 'before'](card);
  });
  addEventListener('pointerup', () => {
    card?.classList.remove('dragged');
    if (card && moved) settle();
    card = null;
  });
  root.addEventListener(
    'click',
    (event) => {
      if (moved && head(event)) event.preventDefault();
      moved = false;
    },
    true,
  );
}
