// The service worker of a published folder: it answers as a server would, from the program in the folder.

'use strict';

const PROGRAM = 'program/'; // publishing adds the folder of this version
const PAGES = []; // publishing adds those that have a file
const FIRST = []; // publishing adds the models of the first view
const KEEP = []; // publishing adds the files that every page and every figure needs
importScripts(`${PROGRAM}wasm_exec.js`, `${PROGRAM}engine.js`);

const root = new URL(self.registration.scope);
const cacheOf = `attention-atlas ${root.pathname} `; // other folders of the host have caches, too
const cacheName = cacheOf + PROGRAM;

const keeping = new Map(); // files being stored in the cache, by address

/** keep stores a file in the cache while it is read. */
function keep(cache, url, response) {
  const name = String(url),
    put = cache.put(url, response.clone()).finally(() => {
      if (keeping.get(name) === put) keeping.delete(name);
    });
  keeping.set(name, put);
  return response;
}

/** settled waits until all files have been stored in the cache. */
const settled = async () => { while (keeping.size) await Promise.allSettled(keeping.values()); };

/** kept returns a file that never changes, from the cache or, the first time, from the host. */
async function kept(url) {
  const cache = await caches.open(cacheName), name = String(url);
  for (;;) {
    const known = await cache.match(url);
    if (known) return known;
    if (!keeping.has(name)) break;
    await keeping.get(name).catch(() => {});
  }
  const fetching = fetch(url).finally(() => { if (keeping.get(name) === fetching) keeping.delete(name); });
  keeping.set(name, fetching);
  const response = await fetching;
  return response.ok ? keep(cache, url, response) : response;
}

/** file returns a file of the program. */
async function file(name) {
  const response = await kept(new URL(PROGRAM + name, root));
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response;
}

let engine, runs = false;

/** started returns the engine. If the start has failed, the next call tries again. */
function started() {
  if (!engine) for (const name of FIRST) file(name).then(({ body }) => body?.cancel(), () => {}); // beside the program
  engine ??= atlasStart(root.pathname.replace(/\/$/, ''), file).then((answer) => {
    runs = true;
    return answer;
  }, (error) => {
    engine = undefined;
    throw error;
  });
  return engine;
}

/** meanwhile returns a page from its file, with the maps of the first view, to look at while the engine starts. */
async function meanwhile(page) {
  const url = new URL(`${page}${page && '/'}`, root), cache = await caches.open(cacheName);
  const response = await fetch(url).catch(() => undefined);
  return response?.ok && !response.redirected ? keep(cache, url, response) : cache.match(url);
}

/**
 * shown returns the engine's page. Before the engine runs, it returns the file of a page whose address has no query;
 * only the engine can answer a query.
 */
async function shown(request, url, page) {
  if (!runs && !url.search && request.mode === 'navigate' && PAGES.includes(page)) {
    const response = await meanwhile(page);
    if (response) return response;
  }
  return answered(request, url);
}

/** answered returns the engine's answer to a request or, without an engine, the host's. */
async function answered(request, url) {
  const answer = await started().catch(() => undefined);
  if (!answer) return fetch(request);
  const { status, headers, body } = await answer({
    method: request.method,
    url: url.href,
    headers: Object.fromEntries(request.headers),
  });
  const empty = request.method === 'HEAD' || status === 204 || status === 304;
  return new Response(empty ? null : body, { status, headers });
}

/** asset returns a style sheet, script or font. Those that only the program has are not in the folder. */
async function asset(request, url) {
  if (!url.pathname.includes('/fonts/scripts/')) {
    const response = await kept(url);
    if (response.ok) return response;
  }
  return answered(request, url);
}

self.addEventListener('install', (event) => {
  self.skipWaiting();
  event.waitUntil(started().catch(() => {}).then(settled));
});

self.addEventListener('activate', (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys())
      if (name.startsWith(cacheOf) && name !== cacheName) await caches.delete(name);
    await self.clients.claim();
  })());
});

self.addEventListener('fetch', (event) => {
  const { request } = event, url = new URL(request.url);
  if (url.origin !== root.origin || !url.pathname.startsWith(root.pathname)) return;
  const path = url.pathname.slice(root.pathname.length), page = path.replace(/(^|\/)(index\.html)?$/, '');
  if (path.startsWith('program/') || path.startsWith('figures/') || path === 'sw.js' || path === 'boot.js') return;
  if (path.startsWith('static/')) event.respondWith(asset(request, url));
  else if (page !== path) event.respondWith(Response.redirect(new URL(page + url.search, root), 302));
  else event.respondWith(shown(request, url, page));
});

/** provide stores the files that are needed offline, one after the other: a page may be in use. */
async function provide() {
  await settled();
  for (const name of KEEP) await (await kept(new URL(name, root))).body?.cancel();
  await settled();
}

// A page asks whether the engine is ready before it requests its own page from the engine.
self.addEventListener('message', (event) => {
  const reply = (said) => event.ports[0].postMessage(said);
  event.waitUntil(started().then(() => {
    reply({ ready: true });
    return provide().catch(() => {}); // the network is gone; the next page asks again
  }, (error) => reply({ failed: String(error) })));
});
