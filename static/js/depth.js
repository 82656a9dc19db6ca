// Steps through layers that share their weights: with the arrow keys while the links have the
// focus, and with a button that plays the layers.

import { t } from './messages.js';

const PACE = 1200; // milliseconds per layer, enough to see changes

/**
 * flip connects the control of the page, if there is one.
 * @param {() => boolean} busy whether a page is loading
 */
export function flip(busy) {
  const box = document.getElementById('depth-box'), play = document.getElementById('depth-play');
  if (!box) return;
  const still = matchMedia('(prefers-reduced-motion: reduce)');
  const go = (where, history) => {
    const link = document.getElementById(`depth-${where}`);
    if (!link) return;
    link.dataset.history = history;
    link.click();
  };
  let timer = 0;
  const begin = play.textContent;
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    play.textContent = begin;
    play.setAttribute('aria-pressed', 'false');
  };
  const start = () => {
    play.textContent = t('script.button.stop');
    play.setAttribute('aria-pressed', 'true');
    timer = setInterval(() => { if (!busy() && !document.hidden) go('next', 'replace'); }, PACE);
  };
  const allow = () => { play.hidden = still.matches; if (still.matches) stop(); };
  allow();
  still.addEventListener('change', allow);
  play.addEventListener('click', () => (timer ? stop() : start()));
  box.addEventListener('keydown', (event) => {
    const where = { ArrowLeft: 'back', ArrowRight: 'next' }[event.key];
    if (event.key === 'Escape' && timer) stop();
    if (!where || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    stop();
    go(where, 'push');
  });
  box.addEventListener('click', (event) => { if (event.isTrusted && event.target.closest('a')) stop(); });
  document.getElementById('controls')?.addEventListener('input', stop);
}
