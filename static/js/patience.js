// Slow results are requested after the page has loaded. This module handles responses that wait in
// the server's queue, and the progress line with its button to cancel or resume.

import { el } from './dom.js';
import { t } from './messages.js';

const PATIENCE = 2; // seconds that a request waits in the server's queue before it learns the length of the queue

/**
 * patiently requests a page, and repeats the request while the server has a queue.
 * @param {string} url
 * @param {AbortSignal} signal
 * @param {(seconds: number) => void} queued receives the estimated waiting time
 * @param {Object<string, string>} [headers]
 * @returns {Promise<{response: Response, page: Document}>}
 */
export async function patiently(url, signal, queued, headers = {}) {
  for (;;) {
    const response = await fetch(url, {
      signal,
      headers: { Accept: 'text/html', Prefer: `wait=${PATIENCE}`, ...headers },
    });
    const wait = response.status === 503 && Number(response.headers.get('Retry-After'));
    if (!wait) return { response, page: new DOMParser().parseFromString(await response.text(), 'text/html') };
    queued(wait);
    await rest(wait * 1000, signal);
  }
}

/** refusal returns the error message of a page. */
export function refusal({ response, page }) {
  return new Error(
    page.querySelector('.failure-detail')?.textContent || t('script.page.status', { status: response.status }),
  );
}

/** rest waits for some milliseconds, unless it is aborted. */
function rest(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => { clearTimeout(timer); reject(signal.reason); }, { once: true });
  });
}

/** Progress is the progress line. */
export class Progress {
  /**
   * @param {HTMLElement} at
   * @param {string} words prefix of the ids of its texts
   * @param {{cancel: () => void, resume: () => void}} act
   */
  constructor(at, words, act) {
    Object.assign(this, { at, words });
    at?.addEventListener('click', ({ target }) => {
      if (target.matches('.cancel')) act.cancel();
      else if (target.matches('.resume')) act.resume();
    });
  }

  /** say shows a sentence with a button: 'cancel' or 'resume'. */
  say(what, button, numbers) {
    const sentence = t(`script.${this.words}.${what}`, numbers);
    if (this.at.querySelector(`.${button}`)) this.at.querySelector('p').textContent = sentence;
    else
      this.at.replaceChildren(
        el('p', {}, sentence),
        el('button', { type: 'button', className: `quiet ${button}` }, t(`script.influence.${button}`)),
      );
  }

  /** focus moves the focus to the button. */
  focus() { this.at.querySelector('button').focus(); }

  clear() { this.at.replaceChildren(); }
}
