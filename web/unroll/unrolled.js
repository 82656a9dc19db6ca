// The frames of a layer. Keys and buttons move from frame to frame. The form and the links do not
// reload the page.

import { morph } from '../js/morph.js';
import { byId, el, leave, speak } from '../js/dom.js';
import { Player } from '../js/player.js';

const PACE = 2600; // milliseconds per frame while playing
const PAUSE = 250; // milliseconds without input before the form is sent
const all = (selector) => [...document.querySelectorAll(selector)];
const frames = () => all('.frame');
const current = () => frames().findIndex((frame) => frame.getAttribute('aria-current') === 'step');
const addressOf = (form) => {
  const url = new URL(form.action);
  url.search = String(new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== '')));
  return url.href;
};

/** connect connects a page with pointer and keys. */
function connect(main) {
  const page = new Unrolled(main);
  document.addEventListener('click', (event) => page.click(event));
  document.addEventListener('keydown', (event) => page.key(event));
  byId('unrolled-form').addEventListener('input', ({ target }) => page.input(target));
  byId('unrolled-form').addEventListener('submit', (event) => {
    event.preventDefault();
    page.visit(addressOf(byId('unrolled-form')));
  });
}

class Unrolled {
  constructor(main) {
    this.player = new Player('unrolled-play', PACE, {
      on: () => this.go(current() + 1),
      begin: () => { if (current() === frames().length - 1) this.go(0); },
    });
    this.wait = 0;
    this.turn = 0;
    main.classList.add('stepping');
    byId('unrolled-go').hidden = byId('through-keys').hidden = false;
    this.mark(Math.max(0, frames().findIndex((frame) => `#${frame.id}` === location.hash)));
  }

  /** mark marks the selected frame. */
  mark(i) {
    const list = frames();
    list.forEach((frame, k) => frame.setAttribute('aria-current', k === i ? 'step' : 'false'));
    for (const button of all('[data-go]')) button.disabled = !list[i + Number(button.dataset.go)];
    byId('unrolled-at').replaceChildren(
      `${i + 1} / ${list.length}: `,
      el('b', { textContent: list[i].querySelector('h2').lastChild.textContent.trim() }),
    );
  }

  /** go selects a frame. */
  go(to) {
    const list = frames(), i = Math.min(list.length - 1, Math.max(0, to));
    if (i === current()) return false;
    this.mark(i);
    history.replaceState(history.state, '', `${location.pathname}${location.search}#${list[i].id}`);
    list[i].scrollIntoView({ block: 'nearest' });
    speak(() => `${byId('unrolled-at').textContent}. ${list[i].querySelector('.frame-says').textContent}`);
    return true;
  }

  click(event) {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const go = event.target.closest('[data-go]'),
      link = event.target.closest('#unrolled-words a, #unrolled-choices a, #unrolled-links a, a.chip');
    if (go) this.go(current() + Number(go.dataset.go));
    else if (event.target.closest('#unrolled-play')) this.player.toggle();
    else if (link) {
      event.preventDefault();
      this.visit(link.href);
    }
  }

  key(event) {
    const { key, target } = event;
    if (event.altKey || event.ctrlKey || event.metaKey || target.matches?.(':read-write, input')) return;
    const act = {
      ArrowLeft: () => this.go(current() - 1),
      ArrowRight: () => this.go(current() + 1),
      Home: () => this.go(0),
      End: () => this.go(frames().length - 1),
      '[': () => this.beside(-1),
      ']': () => this.beside(1),
      ' ': target.closest?.('a, button') ? null : () => this.player.toggle(),
    }[key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** beside selects the previous or next token. */
  beside(by) {
    const links = all('.through-words a'),
      to = links[links.findIndex((link) => link.getAttribute('aria-current') === 'true') + by];
    if (to) this.visit(to.href);
  }

  /** input sends the form after a pause. */
  input(target) {
    const said = target.parentElement.querySelector('output');
    if (said) said.value = target.value;
    clearTimeout(this.wait);
    this.wait = setTimeout(() => this.visit(addressOf(byId('unrolled-form'))), PAUSE);
  }

  /** visit shows another state of the page. An error opens its own page, unless the visitor is still typing. */
  async visit(to) {
    const mine = ++this.turn;
    clearTimeout(this.wait);
    try {
      const answer = await fetch(to, { headers: { Accept: 'text/html' } });
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      if (mine !== this.turn) return;
      if (!page.querySelector('main.unrolled')) {
        if (!document.activeElement?.closest('#unrolled-form')) leave(to);
        return;
      }
      this.take(page, to);
    } catch {
      if (mine === this.turn) leave(to); // that page shows the error
    }
  }

  /** take updates this page from another one, and keeps the selected frame and the focus. */
  take(page, to) {
    const at = frames()[current()].id, focus = document.activeElement, spot = focus?.closest?.('[data-part]');
    const links = spot ? [...spot.querySelectorAll('a')].indexOf(focus) : -1;
    for (const part of all('main.unrolled [data-part]')) morph(part, document.adoptNode(page.getElementById(part.id)));
    for (const field of byId('unrolled-form').querySelectorAll('input:not([type=hidden]), textarea')) {
      const fresh = page.getElementById(field.id);
      if (!fresh || field === document.activeElement) continue;
      field.value = fresh.getAttribute('value') ?? fresh.textContent;
      const said = field.parentElement.querySelector('output');
      if (said) said.value = field.value;
    }
    this.mark(Math.max(0, frames().findIndex((frame) => frame.id === at)));
    history.replaceState(
      history.state,
      '',
      new URL(to, location.href).pathname +
        new URL(to, location.href).search +
        (location.hash && `#${frames()[current()].id}`),
    );
    if (links >= 0) spot.querySelectorAll('a')[links]?.focus();
  }
}

const shown = document.querySelector('main.unrolled'); // one of the pages of this folder
if (shown) connect(shown);
