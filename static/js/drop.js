// A figure that is dropped onto a page opens the view that it was made of: every file says its address.

import { leave } from './dom.js';

/** FILE are the parameters that concern a file alone, not the view. */
const FILE = ['map', 'plane', 'scale', 'dpi', 'bare', 'transparent', 'preset'];

/** sourceOf finds the address that a PNG, SVG, PDF, HTML or JSON file names; null: it names none. */
export function sourceOf(bytes) {
  const text = new TextDecoder('latin1').decode(bytes);
  const pdf = /\/Source <FEFF([0-9A-F]+)>/.exec(text);
  if (pdf) return String.fromCharCode(...pdf[1].match(/.{4}/g).map((unit) => parseInt(unit, 16)));
  const plain = /Source(?:\0+|&#34;: &#34;|"\s*:\s*")(\/export\/[\x21-\x7e]*?)(?=[\0\x80-\xff]|&#34;|"|.{4}(?:tEXt|iTXt|IDAT|PLTE|pHYs|tRNS))/s.exec(text);
  return plain && plain[1].replaceAll('&amp;', '&').replaceAll('\\u0026', '&').replaceAll('&#39;', '\'');
}

/** viewOf is the address, from the root of the site, of the view of a figure. */
export function viewOf(source) {
  const [path, query = ''] = source.split('?');
  const name = decodeURIComponent(path.split('/').pop()).replace(/\.(tex\.zip|[a-z]+)$/, '');
  const kept = new URLSearchParams(query);
  for (const key of FILE) kept.delete(key);
  const page = { wall: '', compare: 'compare' }[name] ?? `m/${encodeURIComponent(name)}`;
  return `${page}?${kept}`;
}

/** connect listens for figures. */
export function connect() {
  const files = (event) => [...event.dataTransfer?.types ?? []].includes('Files');
  addEventListener('dragover', (event) => { if (files(event)) event.preventDefault(); });
  addEventListener('drop', async (event) => {
    if (!files(event) || event.target.closest?.('input, textarea')) return;
    event.preventDefault();
    const source = sourceOf(await event.dataTransfer.files[0].arrayBuffer());
    if (source) leave(new URL(viewOf(source), document.querySelector('.brand').href.split('?')[0]));
  });
}
