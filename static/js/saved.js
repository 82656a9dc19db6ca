// Links that save files. On a published site the engine in a service worker creates the file, but
// browsers request saved links from the host. So the page requests the file and saves the response.

import { el, leave } from './dom.js';

/** connect makes links save the response of a service worker; without one, browsers save it. */
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
    if (!answer.ok) return leave(link.href); // that page shows the error
    const href = URL.createObjectURL(await answer.blob());
    el('a', { href, download: link.download || link.pathname.split('/').pop() }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
  });
}
