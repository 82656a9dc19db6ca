// The engine of a published folder: the program in atlas.wasm, with its files. For workers, and for Node.

'use strict';

/** bytesOf are the bytes of a text that has a character for each. */
const bytesOf = (text) => Uint8Array.from(text, (c) => c.charCodeAt(0));

/**
 * plain is a response without the compression in which files lie there; some hosts take it away themselves.
 * @param {Response} response
 * @param {string} type
 */
async function plain(response, type) {
  const bytes = new Uint8Array(await response.arrayBuffer());
  const packed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const stream = packed ? new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')) : bytes;
  return new Response(stream, { headers: { 'Content-Type': type } });
}

/**
 * atlasStart starts the engine, once in a worker.
 * @param {string} base the path under which the pages are, without a slash at its end
 * @param {(name: string) => Promise<Response>} file fetches one of the program's files
 * @returns {Promise<(request: {method: string, url: string, headers: Object<string, string>}) =>
 *   Promise<{status: number, headers: [string, string][], body: Uint8Array}>>}
 */
globalThis.atlasStart = async function atlasStart(base, file) {
  const [list, program, vectors] = await Promise.all([
    file('files.json').then((r) => r.json()), file('atlas.wasm.gz'), file('kernel.wasm').then((r) => r.arrayBuffer()),
  ]);
  globalThis.atlasBase = base;
  globalThis.atlasTexts = list.texts;
  globalThis.atlasStatic = list.static;
  globalThis.atlasFiles = {
    sizes: list.sizes,
    read: async (name) => (Object.hasOwn(list.small, name) ? bytesOf(list.small[name]) : new Uint8Array(await (await file(name)).arrayBuffer())),
  };
  const go = new Go(), able = WebAssembly.validate(vectors); // old browsers have no vectors
  let kernel;
  go.importObject.kernel = { available: () => Number(able), rows: (...args) => kernel.rows(...args), dots: (...args) => kernel.dots(...args) };
  const { instance } = await WebAssembly.instantiateStreaming(plain(program, 'application/wasm'), go.importObject);
  if (able) kernel = (await WebAssembly.instantiate(vectors, { go: { mem: instance.exports.mem } })).instance.exports;
  return new Promise((resolve, reject) => {
    globalThis.atlasReady = resolve;
    globalThis.atlasFailed = (why) => reject(new Error(why));
    go.run(instance).then(() => reject(new Error('exit')), reject);
  });
};
