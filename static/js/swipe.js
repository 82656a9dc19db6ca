// On a phone the cards are swiped; the switcher names the visible one.

import { byId } from './dom.js';

let observer = null, told = null; // told: last content that was scrolled into view

/**
 * follow connects the switcher to the current cards.
 * @param {HTMLElement} cards
 * @param {HTMLElement} switcher
 */
export function follow(cards, switcher) {
  observer?.disconnect();
  observer = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      const link = switcher.querySelector(`a[data-mechanism="${CSS.escape(entry.target.dataset.mechanism)}"]`);
      if (!link) continue;
      link.setAttribute('aria-current', String(entry.isIntersecting));
      if (entry.isIntersecting && switcher.scrollWidth > switcher.clientWidth) {
        switcher.scrollTo({ left: link.offsetLeft - switcher.clientWidth / 2 + link.clientWidth / 2 });
      }
    }
  }, { root: cards, threshold: 0.6 });
  for (const card of cards.children) observer.observe(card);
  switcher.onclick = (event) => {
    const link = event.target.closest('a');
    if (!link) return;
    event.preventDefault();
    const card = document.getElementById(link.hash.slice(1));
    cards.scrollTo({ left: card.offsetLeft - cards.offsetLeft });
  };
}

/**
 * bring scrolls a phone to the card that a tour step describes, or that a second text changes, below the line
 * about it.
 * @param {HTMLElement} cards
 */
export function bring(cards) {
  const card = cards.querySelector('.told-of'), asked = new URLSearchParams(location.search);
  const now = card ? `${asked.get('walk')} ${card.id}` : cards.querySelector('.changed') && 'second';
  if (now && now !== told && cards.scrollWidth > cards.clientWidth + 1) {
    if (card) cards.scrollTo({ left: card.offsetLeft - cards.offsetLeft, behavior: 'instant' });
    byId('look').scrollIntoView({ block: 'start' });
  }
  told = now;
}
