// A page of a published folder without a service worker, because there is no host, or in a frame that may have none. An
// engine in a worker answers instead of a host. A page from a file may load only scripts, so its files are scripts.
// boot.js, which loads this script, has the list PAGES.

'use strict';

const OURS = ['worker.js', 'modules.js']; // files that are scripts only
const HOST = 'http://localhost:8080'; // host in displayed addresses, where a visitor's own server would listen

(() => {
  const here = new URL('.', document.currentScript.src), root = new URL('../../../', here);
  const arriving = new Map(), asking = new Map(); // callbacks that wait for files, and for answers
  const { open: window_, fetch: fetch_ } = window; // the browser's own functions
  const hosted = root.protocol !== 'file:';
  let worker, asked = 0, drawn = null;

  /** pathOf returns the path of an address in the folder, or null if it is outside. */
  const pathOf = (url) => (url.href.startsWith(root.href) ? url.pathname.slice(root.pathname.length) : null);

  /** pageOf returns the path of a page as a server has it. */
  const pageOf = (path) => path.replace(/(^|\/)(index\.html)?$/, '');

  /** there tells whether a file has this path. */
  const there = (path) => /(^|\/)index\.html$|^(static|program)\/|^open\.html$/.test(path);

  /** fileOf returns an address with the name of the page's file. */
  function fileOf(address) {
    const url = new URL(address, document.baseURI), path = pathOf(url), page = path !== null && pageOf(path);
    if (page === pageOf(pathOf(location)))
      url.pathname = location.pathname; // a frame in a sandbox may change no more than its query
    else if (PAGES.includes(page)) url.pathname = `${root.pathname}${page}${page && '/'}index.html`;
    return url;
  }

  /** bring loads a file of the program: from the host if possible, or as a script that hands it over. */
  async function bring(name) {
    // frames in a sandbox get no files from the host
    const response = hosted && !OURS.includes(name) && (await fetch_(new URL(`../${name}`, here)).catch(() => null));
    if (response?.ok) return [await response.arrayBuffer()];
    return new Promise((resolve, reject) => {
      arriving.set(name, resolve);
      const script = Object.assign(document.createElement('script'), {
        src: new URL(`${name.split('/').map(encodeURIComponent).join('/')}.js`, here),
      });
      script.addEventListener('error', () => reject(new Error(name)));
      script.addEventListener('load', () => script.remove());
      document.head.append(script);
    });
  }

  globalThis.atlasFile = (name, ...file) => arriving.get(name)(file);

  /** started starts the engine. */
  async function started() {
    const [source] = await bring('worker.js');
    worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
    return new Promise((resolve, reject) => {
      worker.addEventListener('error', ({ message }) => reject(new Error(message)));
      worker.addEventListener('message', ({ data: { wants, ready, failed, id, answer } }) => {
        if (wants)
          bring(wants).then(
            (file) => worker.postMessage({ name: wants, file }),
            () => worker.postMessage({ name: wants }),
          );
        else if (ready) resolve();
        else if (!id) reject(new Error(failed));
        else {
          const { resolve: give, reject: refuse } = asking.get(id);
          asking.delete(id);
          if (answer) give(answer);
          else refuse(new Error(failed));
        }
      });
    });
  }

  /** ask returns the answer of a server to an address of the folder. */
  async function ask(url, { method = 'GET', headers = {}, signal } = {}, redirected = false) {
    signal?.throwIfAborted();
    const path = pathOf(url), name = /^(static|program)\//.test(path) ? path : pageOf(path);
    const { status, headers: said, body } = await new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
      asking.set(++asked, { resolve, reject });
      worker.postMessage({
        id: asked,
        request: { method, url: `${HOST}/${name}${url.search}`, headers: Object.fromEntries(new Headers(headers)) },
      });
    });
    const to = status >= 300 && status < 400 && said.find(([key]) => key === 'Location')?.[1];
    if (to) {
      const next = new URL(to, `${HOST}/${name}`);
      return ask(new URL(`.${next.pathname}${next.search}`, root), { headers, signal }, true);
    }
    const response = new Response([204, 304].includes(status) ? null : body, { status, headers: said });
    return Object.defineProperties(response, { url: { value: url.href }, redirected: { value: redirected } });
  }

  /** answers makes the page ask the engine instead of a host. */
  function answers() {
    window.fetch = async (address, init) => {
      const url = new URL(address, document.baseURI);
      return pathOf(url) === null ? fetch_(address, init) : ask(url, init);
    };
    window.open = (address, target = '_blank', ...rest) => {
      const url = new URL(address, document.baseURI);
      return away(url) ? open_(url, { beside: target !== '_self' }) : window_.call(window, url, target, ...rest);
    };
    for (const name of ['pushState', 'replaceState']) {
      const own = history[name].bind(history);
      history[name] = (state, title, address) => own(state, title, fileOf(address).href);
    }
    for (const kind of ['click', 'auxclick']) addEventListener(kind, click);
    addEventListener('submit', submit);
    document.addEventListener('error', ({ target }) => { if (target.matches('img')) picture(target); }, true);
    document.fonts.addEventListener('loadingerror', ({ fontfaces }) => letters(fontfaces));
  }

  /** away tells whether an address is in the folder but has no file. */
  const away = (url) => pathOf(url) !== null && !there(pathOf(url));

  /** usual is where links and forms open by default. */
  const usual = () => document.querySelector('base')?.target;

  /** click follows a link. */
  function click(event) {
    const link = event.target.closest?.('a[href]');
    if (event.defaultPrevented || event.button > 1 || !link || !away(new URL(link.href))) return;
    event.preventDefault();
    const beside =
      event.button === 1 || event.ctrlKey || event.metaKey || event.shiftKey || (link.target || usual()) === '_blank';
    open_(new URL(link.href), { beside, keep: link.hasAttribute('download'), name: link.download });
  }

  /** submit sends a form with GET, as all forms do. */
  function submit(event) {
    const { target: form, submitter } = event,
      url = new URL(submitter?.hasAttribute('formaction') ? submitter.formAction : form.action);
    if (event.defaultPrevented || !away(url)) return;
    event.preventDefault();
    url.search = String(new URLSearchParams(new FormData(form, submitter)));
    open_(url, { beside: (form.target || usual()) === '_blank' });
  }

  /**
   * open_ opens a page, or the engine's answer to another address: it saves the answer, or shows it.
   * @param {URL} url
   * @param {{beside?: boolean, keep?: boolean, name?: string}} how
   */
  async function open_(url, { beside, keep, name }) {
    const lead = (address) => (beside ? window_.call(window, address) : location.assign(address));
    if (PAGES.includes(pageOf(pathOf(url)))) return lead(fileOf(url));
    const response = await ask(url, { headers: { Accept: 'text/html' } }),
      address = URL.createObjectURL(await response.blob());
    const named = /attachment(?:.*filename="?([^";]+))?/.exec(response.headers.get('Content-Disposition'));
    if (!response.ok || (!named && !keep)) return lead(address); // errors are shown, not saved
    return Object.assign(document.createElement('a'), {
      href: address,
      download: name || named?.[1] || url.pathname.split('/').pop(),
    }).click();
  }

  /** picture draws a picture that has no file. */
  async function picture(image) {
    const url = new URL(image.currentSrc || image.src), path = pathOf(url);
    if (path === null || there(path)) return;
    await drawn; // maps that scripts have drawn need no pictures any more
    if (!image.isConnected) return;
    const response = await ask(url);
    image.closest('picture')?.querySelector('source')?.remove();
    if (response.ok) image.srcset = URL.createObjectURL(await response.blob());
  }

  /** letters loads the fonts in the program that a style sheet names. */
  async function letters(faces) {
    const sheet = new URL('../css/scripts.css', document.querySelector('link[href$="/bundle/late.css"]').href);
    const rules = [...(await (await ask(sheet)).text()).matchAll(/url\('([^']+)'\)[^;]*; unicode-range: ([^;]+);/g)];
    for (const { family, unicodeRange } of faces) {
      const rule = rules.find(([, , range]) => range === unicodeRange);
      if (rule)
        document.fonts.add(
          await new FontFace(family, await (await ask(new URL(rule[1], sheet))).arrayBuffer(), { unicodeRange }).load(),
        );
    }
  }

  /** run imports the scripts of a page. The sources of all modules become blobs in an import map. */
  async function run(scripts, sources) {
    const imports = {};
    for (const [name, source] of Object.entries(sources))
      imports[name] = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    document.head.append(
      Object.assign(document.createElement('script'), { type: 'importmap', textContent: JSON.stringify({ imports }) }),
    );
    for (const name of scripts) await import(name);
  }

  /** ready waits until a script has drawn the page's maps. */
  const ready = () => new Promise((resolve) => {
    const { documentElement: page } = document;
    const look = (_, seen) => { if (page.dataset.ready) resolve(seen?.disconnect()); };
    new MutationObserver(look).observe(page, { attributeFilter: ['data-ready'] });
    if (!document.querySelector('main.wall')) resolve();
  });

  /** atlasOpen shows the current page as its engine has it. */
  globalThis.atlasOpen = async () => {
    const [[sources]] = await Promise.all([bring('modules.js'), started()]);
    answers();
    const look = (url) => ask(fileOf(url), { headers: { Accept: 'text/html' } });
    await atlasArrive(look, {
      base: true,
      at: (url) => history.replaceState(history.state, '', url),
      run: (scripts) => {
        drawn = ready();
        return run(scripts.map((one) => one.replace(/^.*static\/[^/]+/, 'atlas')), sources);
      },
    });
  };
})();
