// Starts the program of a published folder, and prints what it answers to addresses, as JSON, one a line:
// node published.cjs FOLDER ADDRESS…
'use strict';

const fs = require('node:fs'), path = require('node:path');

const [site, ...addresses] = process.argv.slice(2);
const folder = path.join(site, /"(program\/[^"]+)"/.exec(fs.readFileSync(path.join(site, 'sw.js'), 'utf8'))[1]);
require(path.join(folder, 'wasm_exec.js'));
require(path.join(folder, 'engine.js'));

const fetched = [];
async function file(name) {
  fetched.push(name);
  return new Response(fs.readFileSync(path.join(folder, name)));
}

(async () => {
  const began = performance.now();
  const answer = await globalThis.atlasStart('', file);
  console.error(`started in ${(performance.now() - began).toFixed(0)} ms`);
  for (const address of addresses) {
    const from = performance.now();
    const { status, headers, body } = await answer({ method: 'GET', url: `http://localhost${address}`, headers: { Accept: '*/*' } });
    console.error(`${address}: ${(performance.now() - from).toFixed(1)} ms`);
    const line = JSON.stringify({ address, status, headers, body: Buffer.from(body).toString('base64'), fetched });
    await new Promise((written) => { process.stdout.write(`${line}\n`, written); });
  }
  process.exit(0);
})().catch((error) => { console.error(error); process.exit(1); });
