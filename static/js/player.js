// A button that plays steps one after another until the end.

import { byId } from './dom.js';

export class Player {
  /**
   * @param {string} id of the button; its data-pause is its text while it plays
   * @param {number} pace in milliseconds
   * @param {{on: function(): boolean, begin: function(): void}} way on goes to the next step and reports whether there
   *   was one; begin goes to the first step if the last is selected
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

  /** resume marks the new button of a fresh page as playing. */
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
