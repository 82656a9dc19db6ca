// Training snapshots: one frame at a time, next to the loss curve. All frames come in one response when the section
// first becomes visible; the frame of a checkpoint comes when it is shown. No frame is interpolated.

import { planes, reach } from '../js/data.js';
import { paint } from '../js/paint.js';
import { look } from '../js/look.js';
import { el } from '../js/dom.js';
import { number } from '../js/format.js';
import { t } from '../js/messages.js';

const PACE = 180; // milliseconds per frame
const LABELS = 24; // tokens that have room beside a map
const TALL = 1.25; // height of a map at most, in widths
const still = matchMedia('(prefers-reduced-motion: reduce)');

class Training {
  constructor() {
    this.timer = 0;
    this.src = null;
    this.seen = new IntersectionObserver(
      (entries) => {
        if (entries.some((e) => e.isIntersecting)) this.begin();
      },
      { rootMargin: '300px' },
    );
  }

  /** fill reads the state of the section after an update. */
  fill() {
    this.box = document.getElementById('training');
    this.stop();
    if (!this.box?.querySelector('.training-player')) return;
    this.seen.disconnect();
    this.seen.observe(this.box);
    this.listen();
    if (this.src === this.box.dataset.src) this.show(this.at);
  }

  repaint() { if (this.box && this.frames) this.show(this.at); }

  listen() {
    const part = (name) => this.box.querySelector(`.training-${name}`);
    part('scrub').addEventListener('input', ({ target }) => { this.stop(); this.show(Number(target.value)); });
    part('back').addEventListener('click', () => this.turn(-1));
    part('next').addEventListener('click', () => this.turn(1));
    part('play').addEventListener('click', () => (this.timer ? this.stop() : this.play()));
    part('player').addEventListener('keydown', (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!by || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      this.turn(by);
    });
    const maps = part('maps');
    maps.addEventListener('pointermove', (event) => this.point(event));
    maps.addEventListener('pointerleave', () => { this.pointed = null; this.say(); });
    const curve = part('curve')?.querySelector('svg');
    if (!curve) return;
    const follow = (event) => {
      if (!this.frames || (event.type === 'pointermove' && !event.buttons)) return;
      const box = curve.getBoundingClientRect(),
        x = ((event.clientX - box.left) / box.width) * curve.viewBox.baseVal.width;
      const places = this.places();
      this.stop();
      this.show(places.reduce((best, place, i) => (Math.abs(place - x) < Math.abs(places[best] - x) ? i : best), 0));
    };
    curve.addEventListener('pointerdown', follow);
    curve.addEventListener('pointermove', follow);
  }

  places() { return this.box.dataset.places.split(' ').map(Number); }

  /** begin fetches the frames and shows the last one. */
  async begin() {
    const { src } = this.box.dataset;
    if (this.src === src) return;
    this.src = src;
    this.frames = null;
    if (this.box.dataset.models) { this.compute(); return; }
    const answer = await reach(src, undefined, 'application/json').then((r) => r.json()).catch(() => null);
    if (!answer?.frames || this.box.dataset.src !== src) { this.src = null; return; }
    this.tokens = answer.tokens;
    this.frames = answer.frames.map((frame) => ({ ...frame, drawn: planes(frame.mechanisms) }));
    this.show(this.frames.length - 1);
  }

  /** compute begins with the checkpoint of the page. */
  compute() {
    const { src, steps, models, tokens, now } = this.box.dataset, numbers = steps.split(' ').map(Number);
    this.tokens = JSON.parse(tokens);
    this.frames = models.split(' ').map((id, i) => {
      const address = new URL(src, document.baseURI);
      address.searchParams.set('m', id);
      return { address, step: numbers[i] };
    });
    this.show(Number(now));
  }

  /** load computes a frame, and draws it if it is still the one to show. A frame that failed is computed again when it
   * is shown again. */
  async load(frame) {
    frame.loading = true;
    frame.error = null;
    const answer = await reach(frame.address, undefined, 'application/json').then((r) => r.json()).catch(() => null);
    const [model] = answer?.mechanisms ?? [];
    frame.loading = false;
    if (model?.maps) frame.drawn = planes(answer.mechanisms);
    else frame.error = model?.error ?? answer?.detail ?? t('script.training.failed');
    if (this.frames?.[this.at] !== frame) return;
    if (frame.drawn) this.show(this.at);
    else this.say();
  }

  turn(by) {
    this.stop();
    this.show(Math.min(this.frames.length - 1, Math.max(0, this.at + by)));
  }

  play() {
    const button = this.box.querySelector('.training-play');
    this.usual = button.textContent;
    button.textContent = t('script.button.stop');
    button.setAttribute('aria-pressed', 'true');
    if (this.at === this.frames.length - 1 || still.matches) this.show(0);
    this.timer = setInterval(() => {
      const now = this.frames[this.at];
      if (document.hidden || !now.drawn && !now.error) return;
      if (this.at === this.frames.length - 1) this.stop();
      else this.show(this.at + 1);
    }, still.matches ? 5 * PACE : PACE);
  }

  stop() {
    if (!this.timer) return;
    clearInterval(this.timer);
    this.timer = 0;
    const button = this.box.querySelector('.training-play');
    button.textContent = this.usual;
    button.setAttribute('aria-pressed', 'false');
  }

  /** show draws a frame. */
  show(at) {
    this.at = at;
    const frame = this.frames[at], { box } = this;
    box.querySelector('.training-player').hidden = false;
    box.querySelector('.training-frames').hidden = true;
    if (frame.drawn) {
      for (const figure of box.querySelectorAll('.training-maps [data-mechanism]')) this.draw(figure);
      this.write(frame.written);
    } else if (!frame.loading) this.load(frame);
    box.querySelector('.training-scrub').value = String(at);
    this.say();
    const cursor = box.querySelector('.training-cursor'), x = String(this.places()[at]);
    cursor?.setAttribute('x1', x);
    cursor?.setAttribute('x2', x);
  }

  /** say shows the training step, its loss, and the value of the cell under the pointer. */
  say() {
    const frame = this.frames[this.at], { pointed } = this;
    const loss = frame.loss?.toFixed(3), count = frame.step;
    const parts = [loss ? t('script.training.now', { count, loss }) : t('script.training.step', { count })];
    if (frame.error) parts.push(frame.error);
    else if (!frame.drawn) parts.push(t('script.training.computing'));
    if (pointed && frame.drawn) {
      const map = this.maps(pointed.figure)[pointed.map], plane = map?.planes[0];
      const value = plane?.values[pointed.row * plane.cols + pointed.col];
      const cell = {
        row: this.words(map?.axes[0])[pointed.row],
        column: this.words(map?.axes.at(-1))[pointed.col],
        value: number(value),
      };
      if (value !== undefined) parts.push(t(plane.rows === 1 ? 'script.training.word' : 'script.training.cell', cell));
    }
    const said = parts.join(' · ');
    this.box.querySelector('.training-scrub').setAttribute('aria-valuetext', parts[0]);
    this.box.querySelector('.training-now').textContent = said;
  }

  /** point follows the pointer over the maps. */
  point({ target, clientX, clientY }) {
    const figure = target.closest?.('[data-mechanism]');
    if (!target.matches('canvas') || !this.frames?.[this.at].drawn) return;
    const map = [...target.parentNode.children].indexOf(target),
      plane = this.maps(figure)[map].planes[0],
      box = target.getBoundingClientRect();
    const at = (x, from, size, n) => Math.min(n - 1, Math.max(0, Math.floor(((x - from) / size) * n)));
    this.pointed = {
      figure,
      map,
      row: at(clientY, box.top, box.height, plane.rows),
      col: at(clientX, box.left, box.width, plane.cols),
    };
    this.say();
  }

  /** maps returns the maps of a figure: all of a model, or one. */
  maps({ dataset }) {
    const { drawn, address } = this.frames[this.at]; // a checkpoint is a model of its own
    const all = [...((address ? [...drawn.values()][0] : drawn.get(dataset.mechanism))?.values() ?? [])];
    return dataset.map ? all.filter(({ name }) => name === dataset.map) : all;
  }

  /** words returns the names of an axis: its own, or the tokens of the text. */
  words(axis) { return axis?.labels ?? this.tokens; }

  /** write shows the text that a model wrote. */
  write(written) {
    if (!written) return;
    const chip = ({ label, right }) =>
      el('li', { className: right ? 'token' : 'token wrong' }, el('bdi', { dir: 'auto', textContent: label }));
    this.box.querySelector('.training-written')?.replaceChildren(...written.pieces.map(chip));
  }

  /** draw paints the maps of a figure one below the other. */
  draw(figure) {
    this.label(figure); // before the width of the rest is known
    const place = figure.querySelector('.training-canvas');
    const now = look(), all = this.maps(figure).map((map) => map.planes[0]);
    while (place.children.length > all.length) place.lastChild.remove();
    while (place.children.length < all.length) place.append(el('canvas', {}));
    all.forEach((plane, i) => {
      const canvas = place.children[i], width = place.clientWidth * now.ratio;
      const height = plane.rows === 1 ? 22 * now.ratio : Math.round(width * Math.min(TALL, plane.rows / plane.cols));
      if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
      paint(canvas, plane, now);
    });
  }

  /** label writes the tokens next to a map that has room for them. */
  label(figure) {
    const [map] = this.maps(figure);
    for (const [place, axis] of [['rows', map?.axes[0]], ['columns', map?.axes.at(-1)]]) {
      const words = this.words(axis), every = Math.ceil(words.length / LABELS);
      const label = (word, i) => el('bdi', { dir: 'auto', textContent: i % every ? '' : word });
      figure.querySelector(`.training-${place}`)?.replaceChildren(...words.map(label));
    }
  }
}

const training = new Training();
if (document.documentElement.dataset.ready) training.fill(); // else the page is yet to be shown
document.addEventListener('shown', () => training.fill());
document.addEventListener('repainted', () => training.repaint());
