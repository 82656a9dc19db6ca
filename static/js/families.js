// The menu of mechanisms: a family is chosen at once, or left out.

import { byId } from './dom.js';

/** connect shows the buttons and answers them. */
export function connect() {
  const menu = byId('c-mechanisms');
  for (const button of menu?.querySelectorAll('.family') ?? []) button.hidden = false;
  menu?.addEventListener('click', ({ target }) => {
    if (!target.matches('.family')) return;
    const boxes = [...menu.querySelectorAll(`[aria-labelledby="group-${target.dataset.group}"] input`)], checked = Boolean(target.dataset.check);
    const changed = boxes.filter((box) => box.checked !== checked);
    for (const box of changed) box.checked = checked;
    changed[0]?.dispatchEvent(new Event('change', { bubbles: true }));
  });
}
