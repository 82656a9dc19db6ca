// Buttons that copy a text of the page to the clipboard.

import { byId } from './dom.js';
import { t } from './messages.js';

/** citations makes every copy button copy the text that it names, including buttons added later. */
export function citations() {
  if (!navigator.clipboard) return;
  document.addEventListener('click', async ({ target }) => {
    const button = target.closest?.('.copy-text');
    if (!button) return;
    const usual = button.dataset.usual ??= button.textContent;
    const done = await navigator.clipboard.writeText(byId(button.dataset.of).textContent).then(
      () => 'copied',
      () => 'denied',
    );
    button.textContent = t(`script.button.${done}`);
    setTimeout(() => { button.textContent = usual; }, 1500);
  });
  offer();
}

/** offer shows the copy buttons if the browser has a clipboard. */
export function offer() {
  if (navigator.clipboard) for (const button of document.querySelectorAll('.copy-text')) button.hidden = false;
}
