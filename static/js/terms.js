// Terms of the glossary: their links show the definition on hover, focus or tap.

import { el } from './dom.js';

const says = el('div', { id: 'term-says', className: 'term-says' });
says.setAttribute('role', 'tooltip');
let shown = null;

function hide() {
  shown?.removeAttribute('aria-describedby');
  shown = null;
  says.remove();
}

function show(link) {
  if (shown === link) return;
  hide();
  shown = link;
  says.textContent = link.dataset.says;
  link.setAttribute('aria-describedby', says.id);
  document.body.append(says);
  const at = link.getBoundingClientRect();
  const right = document.documentElement.clientWidth - says.offsetWidth - 8;
  says.style.left = `${Math.max(8, Math.min(at.left, right)) + scrollX}px`;
  says.style.top = `${at.bottom + scrollY + 4}px`;
}

/** connect makes terms show their definitions. A tap shows the definition first; the next tap follows the
 * link. */
export function connect() {
  const term = (event) => event.target.closest?.('a.term');
  document.addEventListener('pointerover', (event) => {
    if (event.pointerType !== 'mouse') return;
    if (term(event)) show(term(event));
    else if (shown && shown !== document.activeElement && !says.contains(event.target)) hide();
  });
  document.addEventListener('focusin', (event) =>
    term(event)?.matches(':focus-visible') ? show(term(event)) : hide(),
  );
  document.addEventListener('keydown', (event) => event.key === 'Escape' && shown && hide());
  document.addEventListener('click', (event) => {
    const link = term(event);
    if (link && event.pointerType === 'touch' && shown !== link) {
      event.preventDefault();
      show(link);
    } else if (!link) hide();
  });
}
