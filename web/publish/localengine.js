// The engine of a folder without a service worker, in a worker of a page. It follows wasm_exec.js, engine.js and
// decode.js. The page sends it its files, and then requests.

'use strict';

globalThis.atlasFigures = {}; // no host serves figures
const waiting = new Map(); // requests for files

const engine = atlasStart('', (name) => new Promise((resolve, reject) => {
  waiting.set(name, { resolve, reject });
  postMessage({ wants: name });
}));

engine.then(() => postMessage({ ready: true }), (error) => postMessage({ failed: String(error) }));

self.onmessage = async ({ data: { name, file, id, request } }) => {
  if (name) {
    const { resolve, reject } = waiting.get(name),
      bytes = file && (file[0] instanceof ArrayBuffer ? file[0] : decoded(...file));
    if (bytes) resolve(new Response(bytes));
    else reject(new Error(name));
    return;
  }
  try {
    const answer = await (await engine)(request);
    postMessage({ id, answer }, [answer.body.buffer]);
  } catch (error) {
    postMessage({ id, failed: String(error) });
  }
};
