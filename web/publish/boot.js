// What a published page does before there is an engine: it starts one, and then asks it for the page.

'use strict';

const PROGRAM = 'program/'; // publishing adds the folder of this version

(() => {
  const script = document.currentScript, root = new URL('.', script.src), words = script.dataset;
  const state = document.getElementById('atlas-state');
  const say = (text) => { state.hidden = !text; state.textContent = text; };

  /** pageOf is the address in the folder of a page, without the name of its file. */
  const pageOf = (url) => url.pathname.slice(root.pathname.length).replace(/(^|\/)(index\.html)?$/, '');

  /** local starts the engine of a folder that no host serves. */
  function local() {
    say(words.loading);
    const failed = ({ message = '' }) => say(`${words.failed} ${message}`);
    const page = Object.assign(document.createElement('script'), { src: new URL(`${PROGRAM}local/page.js`, root) });
    page.addEventListener('load', () => atlasOpen(words.query).catch(failed));
    page.addEventListener('error', leaf); // published for hosts alone
    document.head.append(page);
  }

  /**
   * leaf opens pages of a folder that was published for hosts alone, or in a browser that
   * knows no modules without an address; one page has all that it needs to compute.
   */
  function leaf() {
    say(`${words.file} `);
    state.append(Object.assign(document.createElement('a'), { href: new URL('open.html', root), textContent: words.open }));
    document.addEventListener('click', (event) => {
      const link = event.target.closest('a[href]'), url = link && new URL(link.href);
      if (!url || !url.href.startsWith(root.href)) return;
      if (link.parentElement === state) return;
      event.preventDefault();
      const page = pageOf(url);
      location.assign(new URL(`${page}${page && '/'}index.html${url.hash}`, root));
    });
  }

  /** ready waits for a worker's engine. */
  const ready = (worker) => new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => (data.ready ? resolve() : reject(new Error(data.failed)));
    worker.postMessage('ready', [port2]);
  });

  async function boot() {
    say(words.loading);
    await navigator.serviceWorker.register(new URL('sw.js', root), { scope: root.pathname });
    const { active } = await navigator.serviceWorker.ready;
    await ready(active);
    if (!navigator.serviceWorker.controller) await new Promise((resolve) => { navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }); setTimeout(resolve, 2000); });
    const search = location.search || (words.query && `?${words.query}`);
    location.replace(new URL(pageOf(location) + search + location.hash, root));
  }

  if (location.protocol === 'file:' && HTMLScriptElement.supports?.('importmap')) local();
  else if (location.protocol === 'file:') leaf();
  else if (!('serviceWorker' in navigator)) say(words.unsupported);
  else boot().catch((error) => say(`${words.failed} ${error.message}`));
})();
