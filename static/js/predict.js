// Next words follow the hand: what a model expects after the word whose row is shown.

/**
 * follow shows the next words after a token; without one those that the server chose.
 * @param {Element} root
 * @param {number|null} row
 */
export function follow(root, row) {
  for (const now of root.querySelectorAll('.prediction.now')) {
    now.first ??= [...now.childNodes];
    const one = row === null ? null : now.parentElement.querySelector(`.every [data-at="${row}"]`);
    if (now.at === (one ? row : null)) continue;
    now.at = one ? row : null;
    now.replaceChildren(...(one ? [...one.cloneNode(true).childNodes] : now.first));
  }
}
