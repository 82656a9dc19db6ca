// The playground: moving a slider computes the result at once. Sliders that add up to 1 are
// adjusted while one of them moves.

import { morph } from '../js/morph.js';
import { byId, leave } from '../js/dom.js';
import { Player } from '../js/player.js';

const PAUSE = 120; // milliseconds without movement before a slider triggers a request
const PACE = 900; // milliseconds per word in the animation
const PARTS = 'main.desk [data-part]';
const DIGITS = 1e3; // mixing weights are set to a thousandth

/** share distributes the rest of one dial among the others, in their present proportions. */
function share(values, moved) {
  const one = Math.round(values[moved] * DIGITS) / DIGITS;
  const others = values.reduce((sum, v, i) => (i === moved ? sum : sum + v), 0);
  let left = 1 - one, last = -1;
  const set = values.map((v, i) => {
    if (i === moved) return one;
    last = i;
    const part = Math.round((1 - one) * (others > 0 ? v / others : 1 / (values.length - 1)) * DIGITS) / DIGITS;
    left -= part;
    return part;
  });
  if (last >= 0) set[last] = Math.max(0, Math.round((set[last] + left) * DIGITS) / DIGITS);
  return set;
}

/** together adjusts the dials that must add up to 1 with the moved one. */
function together(form, moved) {
  const dials = [...form.querySelectorAll('.dial[data-whole="1"] input')], at = dials.indexOf(moved);
  if (at < 0) return;
  share(dials.map((dial) => Number(dial.value)), at).forEach((v, i) => {
    dials[i].value = String(v);
    dials[i].closest('.dial').querySelector('output').value = v.toFixed(3);
  });
}

/** connect makes the page's form update the page. */
function connect(form) {
  let turn = 0, timer = 0;
  async function renew(address) {
    const mine = ++turn;
    try {
      const answer = await fetch(address, { headers: { Accept: 'text/html' } });
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      if (mine !== turn) return;
      if (!page.getElementById('desk-form')) { // a page with an error
        leave(address);
        return;
      }
      for (const part of document.querySelectorAll(PARTS)) {
        const fresh = page.getElementById(part.id);
        if (fresh) morph(part, document.adoptNode(fresh));
      }
      for (const hidden of form.querySelectorAll('input[type=hidden]')) hidden.remove();
      form.prepend(...page.querySelectorAll('#desk-form input[type=hidden]'));
      history.replaceState(null, '', address);
    } catch {
      // the server does not respond: the page stays as it is
    }
  }
  document.addEventListener('click', (event) => {
    const link = event.target.closest('#desk-words a, #desk-frames a, #desk-go a');
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (link.getAttribute('href')) renew(link.href);
  });
  film(renew);
  form.addEventListener('formdata', ({ formData }) => {
    // the maximum is the default, and another number for another text
    for (const dial of form.querySelectorAll('.dial[data-most=true] input'))
      if (dial.value === dial.max) formData.delete(dial.name);
  });
  form.addEventListener('input', ({ target }) => {
    if (target.type !== 'range') return;
    const says = target.closest('.dial').querySelector('output');
    if (target.step === '1') says.value = target.value;
    together(form, target);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const url = new URL(form.action);
      url.search = String(new URLSearchParams(new FormData(form)));
      renew(url.href);
    }, PAUSE);
  });
}

/** film steps through the words by keys, and plays them. */
function film(renew) {
  const button = byId('desk-play');
  if (!button) return;
  button.hidden = byId('desk-keys').hidden = false;
  const link = (id) => document.querySelector(id)?.getAttribute('href');
  const go = (to) => { if (to) renew(new URL(to, document.baseURI).href); };
  const player = new Player('desk-play', PACE, {
    on: () => (link('#desk-next') ? (go(link('#desk-next')), true) : false),
    begin: () => { if (!link('#desk-next')) go(link('#desk-frames li:first-child a')); },
  });
  button.addEventListener('click', () => player.toggle());
  const keys = {
    'ArrowLeft': () => go(link('#desk-previous')),
    'ArrowRight': () => go(link('#desk-next')),
    'Home': () => go(link('#desk-frames li:first-child a')),
    'End': () => go(link('#desk-frames li:last-child a')),
    ' ': () => player.toggle(),
  };
  document.addEventListener('keydown', (event) => {
    const act =
      !event.altKey && !event.ctrlKey && !event.metaKey && !event.target.closest('input, .scroll') && keys[event.key];
    if (!act || event.key === ' ' && event.target.closest('a, button')) return;
    event.preventDefault();
    act();
  });
}

connect(byId('desk-form'));
