// Numbers and labels for readers, with the same rules as components/format.go.

const SUPERSCRIPT = { '-': '⁻', 0: '⁰', 1: '¹', 2: '²', 3: '³', 4: '⁴', 5: '⁵', 6: '⁶', 7: '⁷', 8: '⁸', 9: '⁹' };

/**
 * number formats a value with three significant digits: "0.621", "2.10·10⁻⁷".
 * @param {number} v
 * @returns {string}
 */
export function number(v) {
  if (Number.isNaN(v)) return 'NaN';
  if (!Number.isFinite(v)) return v < 0 ? '−∞' : '∞';
  if (v === 0 || v === 1 || v === -1) return minus(String(v + 0));
  const [mantissa, exponent] = v.toExponential(2).split('e');
  const e = Number(exponent);
  if (e < -3 || e > 4) return `${minus(mantissa)}·10${superscript(e)}`;
  return minus(v.toFixed(Math.max(0, 2 - e)));
}

/**
 * decimal returns the number of the shortest decimal for a float32, as in JSON.
 * @param {number} v
 */
export function decimal(v) {
  if (v === 0 || !Number.isFinite(v)) return v;
  const size = Math.abs(v);
  for (let places = 0; ; places++) {
    const [digits, exponent] = size.toExponential(places).split('e'), n = Number(digits.replace('.', ''));
    const more = size.toExponential(places + 1), half = /5e/.test(more) && Number(more) === size;
    const even = half && n % 2 && Math.log2(size) % 1; // ties go to the even digit; at powers of two up
    for (const one of [even ? n - 1 : n, n - 1, n + 1]) {
      const short = Number(`${one}e${exponent - places}`);
      if (Math.fround(short) === size) return Math.sign(v) * short;
    }
  }
}

/**
 * exact formats all digits that the server sent.
 * @param {number} v
 */
export function exact(v) {
  return String(v);
}

function minus(s) {
  return s.replace('-', '−');
}

function superscript(n) {
  return [...String(n)].map((d) => SUPERSCRIPT[d]).join('');
}

/**
 * shorten removes the middle of a label, because word pieces often differ in their ends.
 * @param {string} label
 * @param {number} limit in characters
 */
export function shorten(label, limit) {
  const chars = [...label];
  if (chars.length <= limit || limit < 3) return label;
  const head = Math.floor(limit / 2);
  return chars.slice(0, head).join('') + '…' + chars.slice(chars.length - (limit - 1 - head)).join('');
}
