// The words of the strip in the colours of a row of one mechanism.

import { colourOf } from './paint.js';

const painted = new WeakMap(); // the colours of chips
const PALETTE = 'ink'; // begins with the paper, so that attended words stand out
const EVEN = 0.179; // the luminance with equal contrast to black and white text (WCAG 2.2)

/**
 * tint colours the words by a row of a map, or removes the colours.
 * @param {HTMLElement[]} chips
 * @param {import('./card.js').Card|undefined} card
 * @param {number|null} row
 * @param {import('./paint.js').Look} look
 */
export function tint(chips, card, row, look) {
  const sheet = card?.map;
  for (const [i, chip] of chips.entries()) {
    const at = sheet && row !== null ? card.here({ row, col: i }) : null;
    const here = at && at.row < sheet.rows.count && at.col < sheet.cols.count;
    const colour = here
      ? colourOf(sheet.shown, at.row * sheet.cols.count + at.col, { ...look, palette: PALETTE })
      : null;
    const says = colour ? `rgb(${colour.join(' ')})` : '';
    if (painted.get(chip) === says) continue;
    painted.set(chip, says);
    chip.querySelector('.tint')?.remove(); // the server's
    chip.style.backgroundColor = says;
    chip.classList.toggle('tinted', Boolean(colour));
    chip.classList.toggle('bright', Boolean(colour) && luminance(colour) > EVEN);
  }
}

/** luminance returns the relative luminance of a colour (WCAG 2.2), as in web/tint.go. */
function luminance(colour) {
  const [r, g, b] = colour.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
