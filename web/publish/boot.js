// What a published page does first: this script starts the engine, and then takes over the engine's page without a
// reload. The typed text, the focus, the selection and the scroll position stay. 404.html knows it by these words.

'use strict';

const PROGRAM = 'program/'; // publishing adds the folder of this version
const PAGES = []; // publishing adds those that have a file
const FIRST = []; // publishing adds the models of the first view
const SMALL = ''; // publishing adds the worker that answers first
const SAID = ['text', 'm', 'layer', 'head', 'mask', 'theme', 'present', 'compact']; // parameters of the small program
const LOOKS = ['theme', 'present', 'compact']; // parameters that change no map

(() => {
  const script = document.currentScript, root = new URL('.', script.src), words = script.dataset;
  const state = document.getElementById('atlas-state'), file = location.protocol === 'file:';
  let ended; // function that ends the small program
  const say = (text) => { state.hidden = !text; state.textContent = text; };
  const field = () => document.getElementById('c-text');

  /** pageOf returns the path of a page in the folder, without the name of its file. */
  const pageOf = (url) => url.pathname.slice(root.pathname.length).replace(/(^|\/)(index\.html)?$/, '');

  /** fields returns the values of the form by their keys. */
  function fields() {
    const form = document.getElementById('controls'), all = new Map();
    for (const [key, value] of form ? new FormData(form) : [])
      all.set(key, [...(all.get(key) ?? []), String(value).replace(/\r\n/g, '\n')]);
    return all;
  }

  const first = new URLSearchParams(words.query),
    wanted = location.search ? new URLSearchParams(location.search) : first;
  const plain = (query) => String(new URLSearchParams([...query].filter(([key]) => !LOOKS.includes(key))));
  const other = plain(wanted) !== plain(first); // whether the visitor wants other maps than those of the file
  if (other && field() && wanted.has('text')) field().value = wanted.get('text');
  const before = fields(), initial = field()?.value;
  document.documentElement.toggleAttribute('data-waits', other);

  /**
   * asked returns the query of the page that the visitor wants: the query of the address with the changes in the
   * form.
   */
  function asked() {
    const query = new URLSearchParams(wanted), now = fields();
    for (const key of new Set([...before.keys(), ...now.keys()])) {
      if (String(before.get(key)) === String(now.get(key))) continue;
      query.delete(key);
      for (const value of now.get(key) ?? []) query.append(key, value);
    }
    return String(query) && `?${query}`;
  }

  /** hold keeps the form from being sent: the engine answers instead. */
  const hold = (event) => {
    const enter = event.target === field() && event.key === 'Enter' && !event.shiftKey && !event.isComposing;
    if (enter || (event.type === 'submit' && event.target.id === 'controls')) event.preventDefault();
  };
  for (const kind of ['submit', 'keydown']) document.addEventListener(kind, hold);

  const attributes = (old, fresh) => {
    for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
    for (const { name, value } of fresh.attributes) old.setAttribute(name, value);
  };

  /** become changes an element into another one. The element with the focus stays, and so do its ancestors. */
  function become(old, fresh, focused) {
    attributes(old, fresh);
    if (old === focused) return;
    const stays = [...old.children].find((one) => one.contains(focused));
    const like = (one) =>
      one.tagName === stays?.tagName && one.id === stays.id && (one.id || one.className === stays.className);
    const twin = [...fresh.children].find(like);
    if (!twin) return old.replaceChildren(...fresh.childNodes);
    for (const one of [...old.childNodes]) if (one !== stays) one.remove();
    for (let one = fresh.firstChild, behind = false; one;) {
      const next = one.nextSibling;
      if (one === twin) behind = true;
      else old.insertBefore(one, behind ? null : stays);
      one = next;
    }
    become(stays, twin, focused);
  }

  /** heading replaces the head by that of another page; equal parts stay. */
  function heading(page, base) {
    const { head } = document;
    const kept = [...head.children].filter(
      (one) => (base && one.matches('base')) || [...page.head.children].some((twin) => twin.isEqualNode(one)),
    );
    for (const one of [...head.children]) if (!kept.includes(one) && !one.matches('script[src]')) one.remove();
    for (const one of [...page.head.children]) {
      if (base && one.matches('base')) head.querySelector('base').target = one.target;
      else if (!kept.some((twin) => twin.isEqualNode(one))) head.append(one);
    }
  }

  /**
   * show replaces the page of the file by the engine's page. base: whether addresses are still relative to the file.
   */
  function show(page, base) {
    ended?.();
    const { scrollX, scrollY } = window, typed = field()?.value, focused = document.activeElement;
    const text = typed === initial ? page.getElementById('c-text')?.value : typed;
    for (const one of page.querySelectorAll('script:not([type="application/json"])')) one.remove();
    heading(page, base);
    attributes(document.documentElement, page.documentElement);
    if (focused === document.body) document.body.replaceWith(page.body);
    else become(document.body, page.body, focused);
    for (const kind of ['submit', 'keydown']) document.removeEventListener(kind, hold);
    if (field() && field().value !== text) field().value = text;
    if (location.hash.length > 1 && !scrollY) document.getElementById(location.hash.slice(1))?.scrollIntoView();
    else scrollTo({ left: scrollX, top: scrollY, behavior: 'instant' });
  }

  /**
   * arrive shows the page that an engine answers with, and starts its scripts.
   * @param {(url: URL) => Promise<Response>} get
   * @param {{base: boolean, at: (url: URL) => void, run: (scripts: string[]) => Promise<void>}} how
   */
  async function arrive(get, { base, at, run }) {
    let url, response, text;
    for (let tries = 0; tries < 3 && (!url || url.search !== asked()); tries++) { // the visitor may be typing
      url = new URL(pageOf(location) + asked() + location.hash, root);
      text = field()?.value;
      response = await get(url);
    }
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const scripts = [...page.querySelectorAll('script[type=module][src]')].map((one) => one.getAttribute('src'));
    const typed = field()?.value;
    at(url);
    show(page, base);
    await run(scripts);
    if (typed !== text) field().dispatchEvent(new Event('input', { bubbles: true }));
  }
  globalThis.atlasArrive = arrive;

  /**
   * failed reports that the engine does not start, and links to a place where it may; it hides maps of another text.
   */
  function failed() {
    say(`${other ? words.unshown : words.failed} `);
    document.documentElement.toggleAttribute('data-unshown', other);
    if (other && self !== top)
      state.append(
        Object.assign(document.createElement('a'), { href: location.href, target: '_blank', textContent: words.alone }),
      );
  }

  /** local starts the engine in a worker of the page: there is no host, or no service worker is allowed. */
  function local() {
    say(other ? words.computing : words.loading);
    const page = Object.assign(document.createElement('script'), { src: new URL(`${PROGRAM}local/page.js`, root) });
    page.addEventListener('load', () => atlasOpen(words.query).catch((error) => { console.error(error); failed(); }));
    page.addEventListener('error', file ? leaf : failed); // published for hosts alone
    document.head.append(page);
  }

  /**
   * leaf makes links open the files of pages, without an engine: the folder was published for hosts only, or the
   * browser does not support import maps. It offers open.html, which is self-contained.
   */
  function leaf() {
    say(`${words.file} `);
    state.append(
      Object.assign(document.createElement('a'), { href: new URL('open.html', root), textContent: words.open }),
    );
    document.addEventListener('click', (event) => {
      const link = event.target.closest('a[href]'), url = link && new URL(link.href);
      if (!url || !url.href.startsWith(root.href)) return;
      if (link.parentElement === state) return;
      event.preventDefault();
      const page = pageOf(url);
      location.assign(new URL(`${page}${page && '/'}index.html${url.hash}`, root));
    });
  }

  /**
   * answering starts the small program, which draws maps of the typed text before the large program is ready, in the
   * cards whose models have arrived, the smallest first. ready is a promise that resolves when all models have arrived.
   */
  function answering() {
    const ids = wanted.get('m')?.split(','), cards = new Map(), models = [];
    const plain = [...wanted.keys()].every((key) => SAID.includes(key) || key.endsWith('.head'));
    for (const model of SMALL && plain ? FIRST : []) {
      const id = model.replace(/^.*\/|\.safetensors.*$/g, ''), card = document.getElementById(`card-${id}`);
      if (!card?.querySelector('.map') || (ids && !ids.includes(id))) continue;
      cards.set(id, card);
      models.push(model);
    }
    if (!cards.size) return { ready: null, end() {} };
    const worker = new Worker(new URL(PROGRAM + SMALL, root));
    let later, asking = 0;

    /** ask requests the maps of the text in the field, unless the page shows this text. */
    function ask() {
      const text = field()?.value ?? wanted.get('text') ?? '';
      document.documentElement.toggleAttribute('data-waits', other || text !== initial);
      asking++;
      const layer = Number(wanted.get('layer') ?? 1), causal = wanted.get('mask') === 'causal';
      const head = (key) => ({ auto: -1, mean: 0 })[wanted.get(key) ?? 'auto'] ?? Number(wanted.get(key));
      for (const mechanism of other || text !== initial ? cards.keys() : []) {
        const key = `${mechanism}.head`, request = { text, mechanism, map: '', plane: 0, layer, causal };
        request.head = head(wanted.has(key) ? key : 'head');
        worker.postMessage({ id: asking, request });
      }
    }

    /** draw shows an answer in place of a card's map. */
    async function draw(card, { error, figure }) {
      await import(new URL('attention-map.js', root));
      let box = card.querySelector('.first-answer');
      if (!box) {
        box = Object.assign(document.createElement('div'), { className: 'first-answer' });
        box.append(document.createElement('attention-map'), document.createElement('p'));
        const head = card.querySelector('.card-head'); // a mechanism's own page has none
        if (head) head.after(box);
        else card.prepend(box);
      }
      const [map, says] = box.children;
      [map.hidden, says.hidden, says.textContent] = [!figure, !error, error ?? ''];
      if (figure) map.figure = figure;
    }

    const soon = () => { clearTimeout(later); later = setTimeout(ask, 100); };
    const ready = new Promise((resolve) => {
      worker.addEventListener('error', resolve);
      worker.addEventListener('message', ({ data: { ready: starts, failed: why, brought, id, card, answer } }) => {
        if (starts) {
          document.addEventListener('input', soon);
          ask();
        }
        if (answer && id === asking) draw(cards.get(card), answer);
        if (why) console.info(why);
        if (why || brought) resolve();
      });
    });
    worker.postMessage({ bring: models });
    return { ready, end() { document.removeEventListener('input', soon); clearTimeout(later); worker.terminate(); } };
  }

  /** preceded starts the small program before the large one. If both are cached, they start at the same time. */
  async function preceded() {
    try {
      const { ready, end } = answering();
      ended = end;
      if (!navigator.serviceWorker.controller) await ready;
    } catch (error) { // for example, a sandbox without workers
      console.info(error);
    }
  }

  /** ready waits for a worker's engine. */
  const ready = (worker) => new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => (data.ready ? resolve() : reject(new Error(data.failed)));
    worker.postMessage('ready', [port2]);
  });

  /** serves waits for a service worker that answers. It returns false if service workers are not allowed. */
  async function serves() {
    let worker;
    try {
      worker = (await navigator.serviceWorker.register(new URL('sw.js', root), { scope: root.pathname })).installing;
    } catch (error) { // service workers are not supported, or not allowed in this frame
      console.info(error);
      return false;
    }
    const broken = new Promise((resolve) => { // a browser without room drops the worker
      worker?.addEventListener('statechange', () => { if (worker.state === 'redundant') resolve({}); });
    });
    const { active } = await Promise.race([navigator.serviceWorker.ready, broken]);
    if (!active) return false;
    await ready(active);
    if (!navigator.serviceWorker.controller)
      await new Promise((resolve) => {
        navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true });
        setTimeout(resolve, 2000);
      });
    return true;
  }

  async function boot() {
    say(other ? words.computing : words.loading);
    const page = pageOf(location), known = PAGES.includes(page);
    if (known && 'serviceWorker' in navigator) await preceded();
    if (!await serves()) return known ? local() : failed();
    if (!known) return location.replace(new URL(page + location.search + location.hash, root)); // such as a figure
    return arrive((url) => fetch(url, { headers: { Accept: 'text/html' } }), {
      base: false,
      at: (url) => history.replaceState(history.state, '', url),
      run: async (scripts) => { for (const one of scripts) await import(new URL(one, document.baseURI)); },
    });
  }

  if (!HTMLScriptElement.supports?.('importmap') && file) leaf();
  else if (file) local();
  else boot().catch((error) => { console.error(error); failed(); });
})();
