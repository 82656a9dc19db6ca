// What links save: in a published folder the engine has it, in a service worker, but browsers ask the host for what a
// link saves. So the page asks, and saves the answer.

import { el, leave } from './dom.js';

/** connect has links save what a service worker answers; without one, browsers do. */
export function connect() {
  document.addEventListener('click', async (event) => {
    const link = event.target.closest?.('a[download]');
    if (
      !link ||
      event.ctrlKey ||
      event.metaKey ||
      event.shiftKey ||
      !navigator.serviceWorker?.controller ||
      new URL(link.href).origin !== location.origin
    )
      return;
    event.preventDefault();
    const answer = await fetch(link.href);
    if (!answer.ok) return leave(link.href); // the page there says why
    const href = URL.createObjectURL(await answer.blob());
    el('a', { href, download: link.download || link.pathname.split('/').pop() }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
  });
}
