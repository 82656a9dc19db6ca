// The menu of mechanisms: selects or clears a family at once.

import { byId } from './dom.js';

/** connect shows the buttons of families and handles them. */
export function connect() {
  const menu = byId('c-mechanisms');
  for (const button of menu?.querySelectorAll('.family') ?? []) button.hidden = false;
  menu?.addEventListener('click', ({ target }) => {
    if (!target.matches('.family')) return;
    const boxes = [...menu.querySelectorAll(`[aria-labelledby="group-${target.dataset.group}"] input`)],
      checked = Boolean(target.dataset.check);
    const changed = boxes.filter((box) => box.checked !== checked);
    for (const box of changed) box.checked = checked;
    changed[0]?.dispatchEvent(new Event('change', { bubbles: true }));
  });
}

/** search makes the search field filter the list of models by the typed text. Enter selects the first one. */
export function search() {
  const menu = byId('c-mechanisms'),
    list = (field) => [...menu.querySelectorAll(`[aria-labelledby="group-${field.dataset.group}"] .mechanism`)];
  const has = (label, typed) => label.textContent.toLowerCase().includes(typed.trim().toLowerCase());
  for (const field of menu?.querySelectorAll('.mechanism-find') ?? []) field.hidden = false;
  menu?.addEventListener('input', (event) => {
    const { target } = event;
    if (!target.matches('.mechanism-find')) return;
    event.stopPropagation(); // it does not change the page
    for (const label of list(target)) label.hidden = !has(label, target.value);
  });
  menu?.addEventListener('keydown', (event) => {
    const { target } = event;
    if (event.key !== 'Enter' || !target.matches('.mechanism-find')) return;
    event.preventDefault(); // it would send the form
    const box = list(target).find((label) => target.value.trim() && has(label, target.value))?.querySelector('input');
    if (!box) return;
    box.checked = !box.checked;
    box.dispatchEvent(new Event('change', { bubbles: true }));
  });
}
