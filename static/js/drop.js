// Dropping a figure onto a page opens its view. Every file contains the URL of its figure.

import { byId, el, leave } from './dom.js';
import { MOST_BYTES } from './matrix.js';
import { t } from './messages.js';

/** FILE lists the parameters that affect only a file, not the view. */
const FILE = ['map', 'plane', 'scale', 'dpi', 'bare', 'transparent', 'preset'];

/** sourceOf returns the URL in a PNG, SVG, PDF, HTML or JSON file, or undefined. */
export function sourceOf(bytes) {
  const view = new DataView(bytes);
  if (view.byteLength > 8 && view.getUint32(0) === 0x89504e47) return pngSource(view);
  const text = new TextDecoder('latin1').decode(bytes);
  const pdf = /\/Source <FEFF([0-9A-F]+)>/.exec(text);
  if (pdf) return String.fromCharCode(...(pdf[1].match(/.{4}/g) ?? []).map((unit) => parseInt(unit, 16)));
  const plain = /Source(?:&#34;: &#34;|"\s*:\s*")(\/export\/[\x21-\x7e]*?)(?:&#34;|")/.exec(text);
  return plain?.[1].replaceAll('&amp;', '&').replaceAll('\\u0026', '&').replaceAll('&#39;', '\'');
}

/** pngSource reads the text chunk of a PNG file. A chunk has a length, a name, a body and a checksum. */
function pngSource(view) {
  const latin = (from, length) =>
    new TextDecoder('latin1').decode(
      new Uint8Array(view.buffer, from, Math.max(0, Math.min(length, view.byteLength - from))),
    );
  for (let at = 8; at + 12 <= view.byteLength; at += 12 + view.getUint32(at)) {
    const [key, value] = latin(at + 4, 4) === 'tEXt' ? latin(at + 8, view.getUint32(at)).split('\0') : [];
    if (key === 'Source') return value;
  }
}

/** named decodes a part of a path, or returns it unchanged if its percent-encoding is invalid. */
function named(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** viewOf returns the URL of a figure's view, from the root of the site. */
export function viewOf(source) {
  const [path, query = ''] = source.split('?');
  const name = named(path.split('/').pop()).replace(/\.(tex\.zip|[a-z]+)$/, '');
  const kept = new URLSearchParams(query);
  for (const key of FILE) kept.delete(key);
  const page = { wall: '', compare: 'compare' }[name] ?? `m/${encodeURIComponent(name)}`;
  return `${page}?${kept}`;
}

/** complain shows an error message on the page; an empty one removes the last. */
function complain(sentence) {
  if (!byId('message'))
    document.querySelector('main').prepend(el('p', { id: 'message', className: 'message', role: 'alert' }));
  Object.assign(byId('message'), { textContent: sentence, hidden: !sentence });
}

/**
 * connect accepts dropped figures, and in the main view also matrices.
 * @param {import('./matrixcard.js').Matrix|null} matrix
 */
export function connect(matrix) {
  const files = (event) => [...event.dataTransfer?.types ?? []].includes('Files');
  addEventListener('dragover', (event) => { if (files(event)) event.preventDefault(); });
  addEventListener('drop', async (event) => {
    if (!files(event) || event.target.closest?.('input, textarea')) return;
    event.preventDefault();
    const [file] = event.dataTransfer.files, large = matrix?.reads(file) && file.size > MOST_BYTES;
    const source = large ? '' : sourceOf(await file.arrayBuffer()), ours = source?.startsWith('/export/');
    complain(ours || matrix?.reads(file) ? '' : t('script.drop.none'));
    if (!ours && matrix?.reads(file)) matrix.take(file);
    if (ours) leave(new URL(viewOf(source), document.querySelector('.brand').href.split('?')[0]));
  });
}
