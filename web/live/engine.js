// The engine of a published folder: the program in atlas.wasm, with its files. For workers, and for Node.

'use strict';

/** bytesOf returns the bytes of a text with a character for each. */
function bytesOf(text) {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** unpacked decompresses a gzip stream. */
const unpacked = (stream) => stream.pipeThrough(new DecompressionStream('gzip'));

/**
 * plain decompresses a response while it arrives. Some hosts send files without their compression. A WebAssembly
 * program begins with 0, and a compressed one does not.
 * @param {Response} response
 * @param {string} type
 */
async function plain(response, type) {
  const [look, body] = response.body.tee(), reader = look.getReader();
  const { value = [] } = await reader.read();
  reader.cancel();
  return new Response(value[0] === 0x1f ? unpacked(body) : body, { headers: { 'Content-Type': type } });
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
  globalThis.atlasVersion = list.version;
  globalThis.atlasFigures ??= list.figures;
  globalThis.atlasFiles = {
    sizes: list.sizes,
    unpack: async (bytes) => new Uint8Array(await new Response(unpacked(new Response(bytes).body)).arrayBuffer()),
    read: async (name) =>
      Object.hasOwn(list.small, name)
        ? bytesOf(list.small[name])
        : new Uint8Array(await (await file(name)).arrayBuffer()),
  };
  const go = new Go(), able = WebAssembly.validate(vectors); // old browsers have no vectors
  go.env = { GOGC: '300' }; // fewer garbage collections make the start a tenth faster; a page lives for minutes only
  let kernel;
  go.importObject.kernel = {
    available: () => Number(able),
    rows: (...args) => kernel.rows(...args),
    dots: (...args) => kernel.dots(...args),
  };
  const { instance } = await WebAssembly.instantiateStreaming(plain(program, 'application/wasm'), go.importObject);
  if (able) kernel = (await WebAssembly.instantiate(vectors, { go: { mem: instance.exports.mem } })).instance.exports;
  return new Promise((resolve, reject) => {
    globalThis.atlasReady = resolve;
    globalThis.atlasFailed = (why) => reject(new Error(why));
    go.run(instance).then(() => reject(new Error('exit')), reject);
  });
};
