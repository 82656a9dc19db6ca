// The page of the encoder–decoder. Steps follow the pointer. Maps share one cross-hair, in which a
// written token and a source token each have their own position.

import { Page } from '../js/page.js';
import { Views } from '../js/views.js';
import { put } from '../js/look.js';
import { byId, el } from '../js/dom.js';

const all = (selector) => [...document.querySelectorAll(selector)];

/** Maps whose rows are decoding steps, and maps whose columns are source tokens. The input of a step is the
 * output of the step before it. */
const STEPS = ['cross', 'decoder'], WORDS = ['cross', 'encoder', 'encoder-rollout'];
const MOVES = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

class Steps {
  constructor() {
    this.step = 1;
    this.frame = 0;
    this.root = byId('written');
    this.words = []; // words of the text; written words are in the maps
    this.isPinned = false;
    this.views = new Views(this);
    this.page = new Page({
      fill: (answer) => this.fill(answer),
      repaint: () => {
        this.repaint();
        document.dispatchEvent(new Event('repainted'));
      },
      typed: () => byId('hidden').replaceChildren(), // another text has other steps
    });
    new ResizeObserver(() => this.repaint()).observe(this.root);
    this.listen();
  }

  /** fill reads the state of the page after an update. */
  fill(answer) {
    this.step = Number(document.querySelector('.step[aria-current="step"]')?.dataset.step ?? 1);
    const slider = byId('slider');
    if (slider) slider.hidden = false;
    this.words = all('.source .token').map((one) => one.textContent);
    this.stops();
    this.views.fill();
    this.views.show(all('.writing-map .view'), answer);
    document.dispatchEvent(new Event('shown'));
  }

  repaint() {
    this.views.paint();
    this.views.draw();
  }

  update() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.views.draw());
  }

  /** at returns the cell that a map shows while the pointer is over a cell of another map. */
  at(view) {
    const own = this.views.pointed();
    if (!own || own === view) return own ? own.cell : null;
    const both = (kind) => [own, view].every((one) => kind.includes(one.map.name));
    return { row: both(STEPS) ? own.cell.row : null, col: both(WORDS) ? own.cell.col : null };
  }

  point() {}

  /** pin selects the step of a cell. */
  pin(cell, view) {
    if (STEPS.includes(view.map.name)) this.go(cell.row + 1, { push: true, focus: false });
  }

  /** stops leaves one step of the list in the Tab order. */
  stops() {
    for (const link of all('.step')) link.tabIndex = Number(link.dataset.step) === this.step ? 0 : -1;
  }

  /** go selects a step; its content is already in the page. */
  go(step, { push, focus }) {
    const link = document.querySelector(`.step[data-step="${step}"]`);
    if (!link) return;
    this.step = step;
    for (const other of all('.step')) other.setAttribute('aria-current', other === link ? 'step' : 'false');
    for (const panel of all('.step-panel')) panel.hidden = panel.id !== `step-${step}`;
    for (const rect of all('.marked rect')) rect.setAttribute('y', String(step - 1));
    for (const thumb of all('.thumb'))
      thumb.setAttribute('href', put(thumb.getAttribute('href'), 'step', String(step)));
    byId('slider').querySelector('input').value = String(step);
    this.stops();
    if (focus) link.focus();
    byId('hidden').replaceChildren(el('input', { type: 'hidden', name: 'step', value: String(step) }));
    this.page.go(link.getAttribute('href'), push ? 'push' : 'replace');
    this.update();
  }

  listen() {
    document.addEventListener('click', (event) => {
      const step = event.target.closest('.step');
      if (!step || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.go(Number(step.dataset.step), { push: true, focus: false });
    });
    this.root.addEventListener('input', (event) => {
      if (event.target.closest('#slider')) this.go(Number(event.target.value), { push: false, focus: false });
    });
    document.addEventListener('keydown', (event) => {
      if (!event.altKey && !event.ctrlKey && !event.metaKey) this.key(event);
    });
  }

  /** key moves through the steps of the list, and through the cells of a map. */
  key(event) {
    const onStep = event.target.closest?.('.step'),
      view = event.target.matches?.('.sheet') && this.views.of(event.target);
    const last = all('.step').length;
    const to = {
      ArrowLeft: this.step - 1,
      ArrowUp: this.step - 1,
      ArrowRight: this.step + 1,
      ArrowDown: this.step + 1,
      Home: 1,
      End: last,
    }[event.key];
    if (onStep && to !== undefined) {
      event.preventDefault();
      this.go(Math.min(last, Math.max(1, to)), { push: false, focus: true });
    } else if (view && MOVES[event.key]) {
      event.preventDefault();
      this.views.move(view.box, ...MOVES[event.key]);
    } else if (view?.cell && event.key === 'Enter') {
      this.pin(view.cell, view);
    }
  }
}

if (document.querySelector('main.writing #controls')) new Steps().page.first();
