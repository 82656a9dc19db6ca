// The engine of a live figure, in a worker. It follows wasm_exec.js, engine.js and lzma.js. The page sends it named
// files, and then requests.

'use strict';

let engine;

self.onmessage = async ({ data: { files, id, request } }) => {
  try {
    if (files) {
      engine = await atlasStart('', async (name) => {
        if (name === 'atlas.wasm.gz') return new Response(unlzma(files.get('atlas.wasm.lzma')));
        if (!files.has(name)) throw new Error(name);
        return new Response(files.get(name));
      });
      postMessage({ ready: true });
    } else postMessage({ id, answer: JSON.parse(await engine(JSON.stringify(request))) });
  } catch (error) {
    postMessage({ id, failed: String(error) });
  }
};
