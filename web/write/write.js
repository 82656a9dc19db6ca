// A text that a model continues. Links and the form replace the results in the page. New words appear one by one;
// “Stop” keeps the words that have appeared.

import { byId, leave } from '../js/dom.js';

const PACE = 110; // milliseconds between two words that appear
const still = matchMedia('(prefers-reduced-motion: reduce)');
const form = byId('write-form'), stop = byId('write-stop');
let asking = null, timer = 0, shown = 0;

/** renew replaces the results of this page by those of an address. */
async function renew(address, { keep = true, plays = false } = {}) {
  cancel();
  const mine = asking = new AbortController();
  stop.hidden = false;
  try {
    const answer = await fetch(address, { headers: { Accept: 'text/html' }, signal: mine.signal });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const fresh = page.getElementById('write-answer');
    if (!fresh) { // an error page
      leave(address);
      return;
    }
    const focus = document.activeElement?.id;
    byId('write-answer').replaceWith(document.adoptNode(fresh));
    for (const input of page.querySelectorAll('#write-form [name]')) {
      const own = form.elements[input.name];
      if (own && own !== document.activeElement && input.tagName === 'INPUT') own.value = input.value;
    }
    if (keep) history.pushState(null, '', address);
    const again = focus && byId(focus);
    if (again && again.closest('#write-answer')) again.focus({ preventScroll: true });
    if (plays) play();
  } catch (cause) {
    if (cause.name !== 'AbortError') leave(address);
  } finally {
    if (mine === asking) asking = null;
    stop.hidden = !asking && !timer;
  }
}

/** cancel stops the request, so that the server stops writing, or the animation. */
function cancel() {
  asking?.abort();
  asking = null;
  clearInterval(timer);
  timer = 0;
  for (const word of document.querySelectorAll('.write-word.later')) word.classList.remove('later');
  stop.hidden = true;
}

/** play shows the written words one after the other. */
function play() {
  const pieces = [...document.querySelectorAll('.write-word')];
  if (still.matches || pieces.length < 2) return;
  for (const piece of pieces) piece.classList.add('later');
  shown = 0;
  timer = setInterval(() => {
    shown++;
    for (const piece of pieces) if (Number(piece.dataset.word) <= shown) piece.classList.remove('later');
    if (!document.querySelector('.write-word.later')) cancel();
  }, PACE);
}

/** ask returns the address of the form. */
function ask() {
  const url = new URL(form.action);
  url.search = String(new URLSearchParams(new FormData(form)));
  return url.href;
}

document.addEventListener('click', (event) => {
  const link = event.target.closest('.write-word, .write-go a, .write-top a, .write-heads a, .write-layers a');
  if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  renew(link.href, { plays: link.id === 'write-other' });
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  renew(ask(), { plays: true });
});
form.querySelector('textarea').addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  form.requestSubmit();
});
stop.addEventListener('click', () => {
  const kept = timer ? shown : 0;
  cancel();
  if (!kept) return;
  const url = new URL(location.href);
  url.searchParams.set('words', String(kept));
  url.searchParams.delete('step');
  renew(url.href);
});
addEventListener('popstate', () => renew(location.href, { keep: false }));
