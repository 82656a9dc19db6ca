// Two maps to compare: the link of one card is dragged onto another card, or both are picked with a
// key.

import { byId, leave, speak } from './dom.js';
import { t } from './messages.js';

const linkOf = (card) => card?.querySelector('.compare-with');

export class Picking {
  /** @param {Element} root contains the cards */
  constructor(root) {
    this.root = root;
    /** @type {{href: string, side: string, name: string}|null} the first map */
    this.first = null;
    root.addEventListener('dragstart', ({ target, dataTransfer }) => {
      if (!target.matches?.('.compare-with')) return;
      this.hold(target.closest('.card'));
      dataTransfer.effectAllowed = 'all';
      dataTransfer.setData('text/uri-list', target.href);
    });
    root.addEventListener('dragover', (event) => {
      const card = this.target(event);
      for (const one of root.querySelectorAll('.is-goal')) if (one !== card) one.classList.remove('is-goal');
      if (!card) return;
      event.preventDefault();
      card.classList.add('is-goal');
    });
    root.addEventListener('drop', (event) => {
      const card = this.target(event);
      if (!card) return;
      event.preventDefault();
      this.visit(card);
    });
    root.addEventListener('dragend', () => this.drop());
  }

  /** target returns another card with a map under the pointer. */
  target(event) {
    const card = this.first && event.target.closest('.card');
    return card && linkOf(card) && linkOf(card).dataset.side !== this.first.side ? card : null;
  }

  /** hold stores the first map. */
  hold(card) {
    const link = linkOf(card);
    this.first = { href: link.href, side: link.dataset.side, name: card.querySelector('h2').textContent };
    card.classList.add('is-picked');
  }

  /** pick takes the map with the focus: as the first one, or to compare it with the first. */
  pick(element) {
    const card = element.closest('.card');
    if (!linkOf(card)) return;
    if (this.first) return this.visit(card);
    this.hold(card);
    byId('message').textContent = t('script.compare.picked', { name: this.first.name });
    byId('message').hidden = false;
    speak(() => byId('message').textContent);
  }

  /** visit opens the comparison with a second map. */
  visit(card) {
    const url = new URL(this.first.href);
    url.searchParams.set('b', linkOf(card).dataset.side);
    this.drop();
    leave(url);
  }

  /** drop discards the first map, and reports whether there was one. */
  drop() {
    const had = Boolean(this.first);
    this.first = null;
    for (const one of this.root.querySelectorAll('.is-picked, .is-goal')) one.classList.remove('is-picked', 'is-goal');
    if (had) byId('message').hidden = true;
    return had;
  }
}
