// A button that plays: step after step, until there is nothing to go on to.

import { byId } from './dom.js';

export class Player {
  /**
   * @param {string} id of the button; what it says while it plays is its data-pause
   * @param {number} pace in milliseconds
   * @param {{on: function(): boolean, begin: function(): void}} way on goes on and says whether it could; begin goes to
   *   the first where the last is looked at
   */
  constructor(id, pace, way) {
    this.id = id;
    this.pace = pace;
    this.way = way;
    this.timer = 0;
  }

  toggle() {
    if (this.timer) this.stop();
    else this.start();
  }

  start() {
    this.way.begin();
    this.timer = setInterval(() => { if (!this.way.on()) this.stop(); }, this.pace);
    this.say();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
    this.say();
  }

  /** resume says on a fresh page, with a fresh button, what is playing. */
  resume() {
    if (!this.timer) return;
    clearInterval(this.timer);
    this.start();
  }

  say() {
    const button = byId(this.id);
    [button.dataset.pause, button.textContent] = [button.textContent, button.dataset.pause];
    button.setAttribute('aria-pressed', String(this.timer !== 0));
  }
}
