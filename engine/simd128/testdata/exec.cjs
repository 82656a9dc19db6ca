// Runs a Go program for browsers with the kernel: node exec.cjs KERNEL GOROOT PROGRAM ARGUMENT…
'use strict';

const fs = require('node:fs'), path = require('node:path');

const [kernelFile, goroot, program, ...args] = process.argv.slice(2);
globalThis.fs = fs;
globalThis.path = path;
require(path.join(goroot, 'lib', 'wasm', 'wasm_exec.js'));

(async () => {
  const go = new Go();
  go.argv = [program, ...args];
  go.env = { TMPDIR: require('node:os').tmpdir(), ...process.env };
  go.exit = process.exit;
  let kernel;
  go.importObject.kernel = { rows: (...x) => kernel.rows(...x), dots: (...x) => kernel.dots(...x), available: () => 1 };
  const { instance } = await WebAssembly.instantiate(fs.readFileSync(program), go.importObject);
  kernel = (await WebAssembly.instantiate(fs.readFileSync(kernelFile), { go: { mem: instance.exports.mem } })).instance.exports;
  await go.run(instance);
})().catch((error) => { console.error(error); process.exit(1); });
