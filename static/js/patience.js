// What takes long is asked for after the page is there: an answer that may have to wait in the server's queue, and
// the line that says how much has come, with a button that ends it or goes on.

import { el } from './dom.js';
import { t } from './messages.js';

const PATIENCE = 2; // seconds that a request waits in the server's queue; then it is told how long the queue is

/**
 * patiently asks for a page as often as the server says that there is a queue.
 * @param {string} url
 * @param {AbortSignal} signal
 * @param {(seconds: number) => void} queued is told how long it will take, about
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

/** refusal is what a page says instead of what it was asked for. */
export function refusal({ response, page }) {
  return new Error(
    page.querySelector('.failure-detail')?.textContent || t('script.page.status', { status: response.status }),
  );
}

/** rest waits so many milliseconds, unless it is aborted. */
function rest(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => { clearTimeout(timer); reject(signal.reason); }, { once: true });
  });
}

/** Progress is the line. */
export class Progress {
  /**
   * @param {HTMLElement} at
   * @param {string} words the beginning of the ids of its texts
   * @param {{cancel: () => void, resume: () => void}} act
   */
  constructor(at, words, act) {
    Object.assign(this, { at, words });
    at?.addEventListener('click', ({ target }) => {
      if (target.matches('.cancel')) act.cancel();
      else if (target.matches('.resume')) act.resume();
    });
  }

  /** say says a sentence, and has a button: 'cancel' or 'resume'. */
  say(what, button, numbers) {
    const sentence = t(`script.${this.words}.${what}`, numbers);
    if (this.at.querySelector(`.${button}`)) this.at.querySelector('p').textContent = sentence;
    else
      this.at.replaceChildren(
        el('p', {}, sentence),
        el('button', { type: 'button', className: `quiet ${button}` }, t(`script.influence.${button}`)),
      );
  }

  /** focus goes to the button. */
  focus() { this.at.querySelector('button').focus(); }

  clear() { this.at.replaceChildren(); }
}
