// The cost page: moving a slider updates the counts at once, and a running measurement is shown in
// progress.

import { morph } from '../js/morph.js';
import { byId } from '../js/dom.js';

const AGAIN = 700; // milliseconds between two looks at a measurement
const PAUSE = 120; // milliseconds without movement before a slider triggers a request
const parts = () => document.querySelectorAll('main.cost [data-part]');

/** addressOf returns the URL of the page with the values of the form. */
function addressOf(form) {
  const url = new URL(form.action);
  url.search = String(new URLSearchParams(new FormData(form)));
  return url;
}

/** connect makes the page's form update the page. */
function connect(form) {
  let turn = 0, timer = 0, poll = 0;
  const follow = () => {
    clearTimeout(poll);
    if (byId('cost-measure')?.dataset.running === 'true') poll = setTimeout(() => renew(location.href), AGAIN);
  };
  async function renew(address, method = 'GET') {
    const mine = ++turn;
    try {
      const answer = await fetch(address, { method, headers: { Accept: 'text/html' } });
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      if (mine !== turn || !page.getElementById('cost-form')) return;
      for (const part of parts()) {
        const fresh = page.getElementById(part.id);
        if (fresh) morph(part, document.adoptNode(fresh));
      }
      if (answer.redirected) history.replaceState(null, '', answer.url);
    } catch {
      // the server does not respond: the page stays as it is
    } finally {
      if (mine === turn) follow();
    }
  }
  form.addEventListener('input', ({ target }) => {
    const said = target.parentElement.querySelector('output');
    if (said) said.value = target.value;
    if (target.id === 'cost-of')
      for (const one of document.querySelectorAll('#cost-options [name]')) one.disabled = true; // of another mechanism
    const address = addressOf(form);
    clearTimeout(timer);
    timer = setTimeout(() => {
      history.replaceState(null, '', address);
      renew(address.href);
    }, PAUSE);
  });
  document.addEventListener('submit', (event) => {
    if (event.target.method !== 'post') return;
    event.preventDefault();
    renew(event.target.action, 'POST');
  });
  follow();
}

connect(byId('cost-form'));
