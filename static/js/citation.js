// Buttons that put a text of the page on the clipboard.

import { byId } from './dom.js';
import { t } from './messages.js';

/** citations lets every button of its kind copy the text that it names. */
export function citations() {
  if (!navigator.clipboard) return;
  for (const button of document.querySelectorAll('.copy-text')) {
    const usual = button.textContent;
    button.hidden = false;
    button.addEventListener('click', async () => {
      const done = await navigator.clipboard.writeText(byId(button.dataset.of).textContent).then(() => 'copied', () => 'denied');
      button.textContent = t(`script.button.${done}`);
      setTimeout(() => { button.textContent = usual; }, 1500);
    });
  }
}
