// <attention-map>: an attention map in any page, drawn without a server from a data file (/export/MECHANISM.json),
// or from a server's answer. This single module has no dependencies. It is also the front end of an anywidget, and
// connect() controls a frame that shows /embed.
//
//   <script type="module" src="attention-map.js"></script>
//   <attention-map src="dense.json"></attention-map>
//   <attention-map server="http://localhost:8080/" mechanism="dense" text="The cat sat."></attention-map>

const NORMS = ['row', 'map', 'absolute'];
const SCALES = {
  // colours from low to high, between which others are mixed
  cividis:
    '002051002b640f356c23406e374a6e4b556d5c606e6c6b70797673858176928d789f9978aea575bfb26fd2bf66e4cd5af4db4efdea45',
  magma: '0000040907201a10423111654a1079621980792282912b81aa337dc23b75d9466bec5860f7725cfc8e64feaa74fec68afde2a3fcfdbf',
  viridis:
    '440154481769472a7a433d843d4e8a355e8d2e6d8e297b8e23898e1f978b21a5852eb37c46c06f65cb5e89d548b0dd2fd8e219fde725',
};
const DIVERGING = '2a5a8f7fa3c8f5f5f5d99a6bb0410e'; // below 0, 0, above 0
const WORDS = {
  rows: 'attends',
  cols: 'attended to',
  table: 'Table',
  keys: 'Arrow keys',
  none: 'not computed',
  share: 'value',
};
const STYLE = `
:host {
  display: block; max-width: 34rem; color-scheme: light dark; font: 13px/1.4 system-ui, sans-serif;
  color: light-dark(#1c1a17, #eceef1); --line: light-dark(#8d877a, #77808c); --muted: light-dark(#5f5a50, #a9afb8);
  --mark: light-dark(#b0410e, #ffb27a);
}
:host([hidden]) { display: none; }
:host([theme=light]) { color-scheme: light; } :host([theme=dark]) { color-scheme: dark; }
figure {
  margin: 0; display: grid; grid-template: "corner cols" auto "rows map" auto "foot foot" auto / auto minmax(0, 1fr);
  gap: 0 .3rem;
}
.title { margin: 0 0 .3rem; font: inherit; font-weight: 600; }
.corner {
  grid-area: corner; align-self: end; justify-self: end; text-align: end; line-height: 1.2; font-size: 11px;
  color: var(--muted); white-space: pre;
}
.cols { grid-area: cols; display: grid; align-items: end; padding-bottom: 3px; }
.rows { grid-area: rows; display: grid; align-items: center; justify-items: end; }
.cols bdi {
  writing-mode: vertical-rl; transform: rotate(180deg); justify-self: center; max-height: 7rem; overflow: hidden;
  white-space: pre;
}
.cols .square { transform: none; text-orientation: upright; }
.rows bdi { max-width: 8rem; overflow: hidden; text-overflow: ellipsis; white-space: pre; }
.rows, .cols { font-size: 11px; line-height: 1.1; min-width: 0; } .at { color: var(--mark); font-weight: 700; }
.map {
  grid-area: map; position: relative; outline-offset: 2px; line-height: 0; cursor: crosshair; touch-action: pan-y;
}
canvas {
  width: 100%; image-rendering: pixelated; border: 1px solid var(--line); box-sizing: border-box;
  print-color-adjust: exact; -webkit-print-color-adjust: exact;
}
.hatch { position: absolute; inset: 0; height: 100%; pointer-events: none; }
.mark {
  position: absolute; box-sizing: border-box; border: 2px solid #fff; outline: 1px solid #000; pointer-events: none;
}
.foot { grid-area: foot; padding-top: .4rem; } .foot > * { margin: 0 0 .25rem; }
.says { min-height: 1.4em; font-variant-numeric: tabular-nums; } .says b { font-weight: 600; }
.bar { height: .6rem; } .ends { display: flex; justify-content: space-between; color: var(--muted); font-size: 11px; }
.scroll { max-height: 20rem; overflow: auto; }
table { border-collapse: collapse; font-size: 11px; }
th, td { padding: .1rem .35rem; border: 1px solid var(--line); text-align: end; white-space: pre; }
.error { padding: .6rem; border: 1px solid var(--mark); }
@media print { .says, details { display: none; } }`;

const el = (tag, properties, ...children) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
};
const word = (text, className = '') => el('bdi', { className, dir: 'auto', textContent: text, title: text });
const number = (v) =>
  v === 0 ? '0' : Math.abs(v) >= 0.001 && Math.abs(v) < 1e4 ? String(Number(v.toPrecision(3))) : v.toExponential(1);

/** check returns what a data file lacks; empty: nothing. */
function check(data) {
  const labels = (list) => Array.isArray(list) && list.length > 0 && list.every((one) => typeof one === 'string');
  if (!data || typeof data !== 'object') return 'no object';
  if (!labels(data.rows)) return 'rows: labels';
  if (!labels(data.cols)) return 'cols: labels';
  const row = (list) =>
    Array.isArray(list) && list.length === data.cols.length && list.every((v) => v === null || Number.isFinite(v));
  if (!Array.isArray(data.values) || data.values.length !== data.rows.length || !data.values.every(row))
    return `values: ${data.rows.length} × ${data.cols.length}`;
  const reasons = (line) => typeof line === 'string' && line.length === data.cols.length;
  if (
    data.nothing &&
    !(Array.isArray(data.nothing) && data.nothing.length === data.rows.length && data.nothing.every(reasons))
  )
    return `nothing: ${data.rows.length} × ${data.cols.length}`;
  return '';
}

/** why returns the letter of the reason why a cell has no number. */
const why = ({ nothing }, row, col) => nothing?.[row][col] ?? 'm';

/**
 * hatch draws lines over the cells without a number, as in figures: lines to the right for cells out of reach, crossed
 * lines for numbers not computed, upright lines for excluded cells, and a filled ground for NaN.
 */
function hatch(canvas, data, width, height) {
  Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d'), cell = [width / data.cols.length, height / data.rows.length], cells = {};
  data.values.forEach((row, r) =>
    row.forEach((v, c) => {
      if (v === null) (cells[why(data, r, c)] ??= []).push([r, c]);
    }),
  );
  for (const [letter, list] of Object.entries(cells)) {
    context.save();
    context.beginPath();
    for (const [r, c] of list) context.rect(c * cell[0], r * cell[1], ...cell);
    context.clip();
    Object.assign(context, letter === 'b' ? { fillStyle: '#d000b0' } : { strokeStyle: '#a8aeb8', lineWidth: 1 });
    if (letter === 'b') context.fill();
    context.beginPath();
    for (let x = letter === 'c' ? 2 : -height; letter !== 'b' && x < width + height; x += letter === 'c' ? 4 : 8) {
      for (const to of { c: [0], f: [height] }[letter] ?? [height, -height]) {
        context.moveTo(x, height);
        context.lineTo(x + to, 0);
      }
    }
    context.stroke();
    context.restore();
  }
}

/** colours returns 256 colours between the stops of a scale. */
function colours(hex) {
  const stops = hex.match(/.{6}/g).map((one) => [0, 2, 4].map((i) => parseInt(one.slice(i, i + 2), 16)));
  return Array.from({ length: 256 }, (_, i) => {
    const at = (i / 255) * (stops.length - 1), low = Math.min(Math.floor(at), stops.length - 2);
    return stops[low].map((v, k) => Math.round(v + (stops[low + 1][k] - v) * (at - low)));
  });
}

/** tops returns the value of full colour for each row. */
function tops({ values }, norm) {
  const most = (list) => Math.max(0, ...list.map((v) => Math.abs(v ?? 0)));
  const rows = values.map(most), all = most(rows);
  return rows.map((top) => (norm === 'row' ? top : norm === 'map' ? all : Math.max(1, all)));
}

/** paint draws one pixel for each cell. */
function paint(canvas, data, norm, scale) {
  const cols = data.cols.length, signed = data.values.flat().some((v) => v < 0);
  const table = colours(signed ? DIVERGING : SCALES[scale]), full = tops(data, norm);
  Object.assign(canvas, { width: cols, height: data.rows.length });
  const context = canvas.getContext('2d'), image = context.createImageData(cols, data.rows.length);
  data.values.forEach((row, r) => row.forEach((v, c) => {
    const share = v === null || !full[r] ? 0 : v / full[r];
    const [red, green, blue] = table[Math.round(255 * Math.min(1, Math.max(0, signed ? (share + 1) / 2 : share)))];
    image.data.set(v === null ? [0, 0, 0, 0] : [red, green, blue, 255], 4 * (r * cols + c));
  }));
  context.putImageData(image, 0, 0);
  return table;
}

/** SQUARE matches words whose characters stand upright in columns. */
const SQUARE =
  /^(\p{scx=Han}|\p{scx=Hira}|\p{scx=Kana}|\p{scx=Hang}|\p{Extended_Pictographic}|\p{Emoji_Modifier})+[⁰¹²³⁴-⁹]*$/u;

/** labels writes as many words as fit. */
function labels(box, list, size, rows) {
  const every = Math.ceil(13 / Math.max(size, 0.5)), tracks = `repeat(${list.length}, minmax(0, 1fr))`;
  box.style[rows ? 'gridTemplateRows' : 'gridTemplateColumns'] = tracks;
  box.replaceChildren(
    ...list.map((text, i) => (i % every === 0 ? word(text, SQUARE.test(text) ? 'square' : '') : el('span'))),
  );
}

class AttentionMap extends (globalThis.HTMLElement ?? class {}) {
  static observedAttributes = ['src', 'server', 'text', 'mechanism', 'layer', 'head', 'map', 'norm', 'cmap', 'theme'];

  constructor() {
    super();
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    this.attachShadow({ mode: 'open' }).adoptedStyleSheets = [sheet];
    this.at = null;
    this.sized = new ResizeObserver(() => this.fit());
  }

  connectedCallback() { this.load(); }

  disconnectedCallback() { this.sized.disconnect(); this.asking?.abort(); }

  attributeChangedCallback(name) {
    if (!this.isConnected || this.later) return;
    this.later = Promise.resolve().then(() => {
      this.later = null;
      if (['norm', 'cmap', 'theme'].includes(name) && this.data) this.draw();
      else this.load();
    });
  }

  /** figure is the shown data, in the form of a data file; setting it shows other data. */
  get figure() { return this.data; }
  set figure(data) {
    const wrong = check(data);
    if (wrong) return this.fail(wrong);
    this.data = data;
    this.draw();
  }

  /** address returns the address of the data. */
  address() {
    if (!this.hasAttribute('server')) return this.getAttribute('src');
    const url = new URL(
      `export/${encodeURIComponent(this.getAttribute('mechanism') ?? 'dense')}.json`,
      new URL(this.getAttribute('server'), location.href),
    );
    for (const key of ['text', 'layer', 'head', 'map'])
      if (this.hasAttribute(key)) url.searchParams.set(key, this.getAttribute(key));
    return url;
  }

  async load() {
    this.asking?.abort();
    this.asking = new AbortController();
    const { signal } = this.asking,
      address = this.address(),
      inside = this.querySelector('script[type="application/json"]');
    try {
      if (!address) { if (inside) this.figure = JSON.parse(inside.textContent); return; }
      const response = await fetch(address, {
        signal,
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        headers: { Accept: 'application/json' },
      });
      const body = await response.json();
      if (!response.ok) throw new Error(body.detail ?? response.status);
      this.figure = body;
    } catch (error) {
      if (error.name !== 'AbortError') this.fail(error.message);
    }
  }

  fail(why) {
    this.data = null;
    this.shadowRoot.replaceChildren(
      el('p', { className: 'error', role: 'alert', textContent: `attention-map: ${why}` }),
    );
    this.dispatchEvent(new CustomEvent('error', { detail: String(why) }));
  }

  draw() {
    const { data } = this, words = { ...WORDS, ...data.words };
    const norm = NORMS.includes(this.getAttribute('norm')) ? this.getAttribute('norm') : 'row';
    const scale = this.getAttribute('cmap') in SCALES ? this.getAttribute('cmap') : 'cividis';
    const canvas = el('canvas'), table = paint(canvas, data, norm, scale);
    const name = data.title ?? 'map', most = data.values.flat().reduce((top, v) => Math.max(top, v ?? 0), 0);
    this.words = words;
    this.parts = {
      rows: el('div', { className: 'rows', ariaHidden: 'true' }),
      cols: el('div', { className: 'cols', ariaHidden: 'true' }),
      mark: el('div', { className: 'mark', hidden: true }),
      hatches: el('canvas', { className: 'hatch' }),
      says: el('p', { className: 'says', role: 'status' }),
      map: el(
        'div',
        {
          className: 'map',
          tabIndex: 0,
          role: 'application',
          ariaLabel: `${name}, ${data.rows.length} × ${data.cols.length}. ${words.keys}`,
        },
        canvas,
      ),
    };
    const { rows, cols, map, mark, says } = this.parts, bar = el('div', { className: 'bar' });
    map.append(this.parts.hatches, mark);
    const stops = [0, 51, 102, 153, 204, 255].map((i) => `rgb(${table[i].join()})`);
    bar.style.background = `linear-gradient(to right, ${stops.join()})`;
    const signed = data.values.flat().some((v) => v < 0), top = norm === 'row' ? 1 : tops(data, norm)[0];
    const ends = el(
      'div',
      { className: 'ends' },
      el('span', { textContent: signed ? number(-top) : '0' }),
      el('span', { textContent: words[norm] ?? words.share }),
      el('span', { textContent: number(top) }),
    );
    const details = el('details', {}, el('summary', { textContent: words.table }));
    details.addEventListener('toggle', () => {
      if (details.open && !details.querySelector('table')) details.append(this.table());
    });
    this.shadowRoot.replaceChildren(
      el('h3', { className: 'title', textContent: name, part: 'title' }),
      el(
        'figure',
        { ariaLabel: name },
        el('div', { className: 'corner', textContent: `${words.cols} →\n${words.rows} ↓` }),
        cols,
        rows,
        map,
        el('figcaption', { className: 'foot' }, says, bar, ends, details),
      ),
    );
    this.most = most;
    map.addEventListener('pointermove', ({ clientX, clientY }) => {
      const box = canvas.getBoundingClientRect();
      this.point(
        Math.floor(((clientY - box.top) / box.height) * data.rows.length),
        Math.floor(((clientX - box.left) / box.width) * data.cols.length),
      );
    });
    map.addEventListener('pointerleave', () => { if (this.shadowRoot.activeElement !== map) this.point(null); });
    map.addEventListener('click', () => {
      if (this.at) this.dispatchEvent(new CustomEvent('pin', { detail: { ...this.at } }));
    });
    map.addEventListener('keydown', (event) => this.key(event));
    this.sized.disconnect();
    this.sized.observe(map);
    this.fit();
    this.dispatchEvent(new CustomEvent('load'));
  }

  /** fit writes the labels that fit, and gives maps of few rows some height. */
  fit() {
    if (!this.data) return;
    const { rows, cols, map } = this.parts, width = map.clientWidth, { data } = this;
    const height = Math.max(width * data.rows.length / data.cols.length, 16 * Math.min(data.rows.length, 8));
    map.firstChild.style.height = `${height}px`;
    hatch(this.parts.hatches, data, Math.round(width), Math.round(height));
    labels(cols, data.cols, width / data.cols.length, false);
    labels(rows, data.rows, height / data.rows.length, true);
    if (this.at) this.point(this.at.row, this.at.col);
  }

  /** point shows a cell and its value; null: none. */
  point(row, col) {
    const { rows, cols, mark, says } = this.parts, { data } = this;
    const inside = row !== null && row >= 0 && col >= 0 && row < data.rows.length && col < data.cols.length;
    for (const old of this.shadowRoot.querySelectorAll('.at')) old.classList.remove('at');
    mark.hidden = !inside;
    if (!inside) { this.at = null; says.replaceChildren(); return; }
    const value = data.values[row][col], share = (i, n) => `${100 * i / n}%`;
    this.at = { row, col, value, words: [data.rows[row], data.cols[col]] };
    Object.assign(mark.style, {
      left: share(col, data.cols.length),
      top: share(row, data.rows.length),
      width: share(1, data.cols.length),
      height: share(1, data.rows.length),
    });
    rows.children[row].classList.add('at');
    cols.children[col].classList.add('at');
    says.replaceChildren(
      word(data.rows[row]),
      ' → ',
      word(data.cols[col]),
      ': ',
      el('b', {
        textContent: value === null ? (data.reasons?.[why(data, row, col)] ?? this.words.none) : number(value),
        title: String(value),
      }),
    );
    this.dispatchEvent(new CustomEvent('point', { detail: { ...this.at } }));
  }

  key(event) {
    const { row = 0, col = 0 } = this.at ?? {},
      last = { row: this.data.rows.length - 1, col: this.data.cols.length - 1 };
    const to = {
      ArrowUp: [row - 1, col],
      ArrowDown: [row + 1, col],
      ArrowLeft: [row, col - 1],
      ArrowRight: [row, col + 1],
      Home: [row, 0],
      End: [row, last.col],
    }[event.key];
    if (event.key === 'Escape') return this.point(null);
    if (event.key === ' ' && this.at) {
      event.preventDefault();
      return this.dispatchEvent(new CustomEvent('pin', { detail: { ...this.at } }));
    }
    if (!to) return;
    event.preventDefault();
    if (!this.at) return this.point(0, 0);
    this.point(Math.min(Math.max(to[0], 0), last.row), Math.min(Math.max(to[1], 0), last.col));
  }

  table() {
    const { rows, cols, values } = this.data, head = (text, scope) => el('th', { scope }, word(text));
    const line = (text, r) =>
      el(
        'tr',
        {},
        head(text, 'row'),
        ...values[r].map((v) => el('td', { textContent: v === null ? '' : number(v), title: String(v) })),
      );
    return el(
      'div',
      { className: 'scroll', tabIndex: 0 },
      el(
        'table',
        {},
        el('thead', {}, el('tr', {}, el('td'), ...cols.map((text) => head(text, 'col')))),
        el('tbody', {}, ...rows.map(line)),
      ),
    );
  }
}

if (globalThis.customElements && !customElements.get('attention-map'))
  customElements.define('attention-map', AttentionMap);

/** render shows the figure of a notebook's widget (anywidget's front-end module) and reports the pinned cell. */
function render({ model, el: box }) {
  const map = document.createElement('attention-map');
  const follow = () => {
    for (const key of ['norm', 'cmap', 'theme']) if (model.get(key)) map.setAttribute(key, model.get(key));
    if (map.figure !== model.get('figure')) map.figure = model.get('figure');
  };
  box.append(map);
  follow();
  model.on('change', follow);
  map.addEventListener('pin', ({ detail }) => { model.set('pin', detail); model.save_changes(); });
  return () => { model.off('change', follow); map.remove(); };
}

/** connect drives a frame that shows /embed: resolves to its calls once it listens, and adjusts the height. */
export function connect(frame) {
  const alone = frame.hasAttribute('sandbox') && !frame.sandbox.contains('allow-same-origin'); // its origin is opaque
  const origin = alone ? 'null' : new URL(frame.src, location.href).origin, waiting = new Map(), listeners = new Map();
  const call = (name, more) => new Promise((done, failed) => {
    waiting.set(String(waiting.size), { done, failed });
    frame.contentWindow.postMessage(
      { attentionAtlas: 1, id: String(waiting.size - 1), call: name, ...more },
      alone ? '*' : origin,
    );
  });
  const api = {
    getState: () => call('getState'), setState: (state) => call('setState', { state }),
    on: (event, listener) => { listeners.set(event, listener); return call('on', { event }); },
    off: (event) => { listeners.delete(event); return call('off', { event }); },
  };
  return new Promise((ready) => addEventListener('message', ({ source, origin: from, data }) => {
    if (source !== frame.contentWindow || from !== origin || !data?.attentionAtlas) return;
    if (data.event === 'height') { frame.style.height = `${data.data}px`; ready(api); }
    else if (data.event) listeners.get(data.event)?.(data.data);
    else if (data.error) waiting.get(data.id)?.failed(new Error(data.error));
    else waiting.get(data.id)?.done(data.result);
  }));
}
export default { render };
