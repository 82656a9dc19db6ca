// The small program of a published folder, in a worker: it answers for the cards of the first view while the large
// program arrives. It follows FILES, wasm_exec.js, engine.js and lzma.js. It stores fetched files in the cache of the
// service worker.

'use strict';

const here = new URL('.', self.location), root = new URL('../../', here);
const cacheName = `attention-atlas ${root.pathname} ${here.pathname.slice(root.pathname.length)}`; // as in sw.js

const coming = new Map(); // files on their way into the cache, by name

/** brought fetches a file of the program once, or takes it from the cache. */
async function brought(name) {
  if (!coming.has(name)) coming.set(name, fetched(name));
  return (await coming.get(name)).clone();
}

/** fetched fetches a file of the program, or takes it from the cache. */
async function fetched(name) {
  const url = new URL(name, here), cache = await self.caches?.open(cacheName).catch(() => null);
  const kept = await cache?.match(url);
  if (kept) return kept;
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  if (cache) await cache.put(url, response.clone());
  return response;
}

/** file returns a file by the name that engine.js asks for. */
async function file(name) {
  if (name === 'files.json') return new Response(JSON.stringify(FILES));
  if (name !== 'atlas.wasm.gz') return brought(name);
  const packed = await (await brought('live/atlas.wasm.lzma')).arrayBuffer();
  return new Response(unlzma(new Uint8Array(packed)));
}

const engine = atlasStart('', file);
engine.then(() => postMessage({ ready: true }), (error) => postMessage({ failed: String(error) }));

let last = Promise.resolve(); // the answers come in the order of the requests

/** answer answers a request. */
async function answer(id, request) {
  try {
    postMessage({ id, card: request.mechanism, answer: JSON.parse(await (await engine)(JSON.stringify(request))) });
  } catch (error) {
    postMessage({ failed: String(error) });
  }
}

self.onmessage = async ({ data: { id, request, bring } }) => {
  if (request) last = last.then(() => answer(id, request));
  for (const name of bring ?? []) await brought(name).catch(() => {}); // the first one loads with the program
  if (bring) engine.finally(() => last.then(() => postMessage({ brought: true })));
};
