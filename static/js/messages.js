// The texts of scripts. They come from the catalogue engine/messages; the page contains those for
// scripts.

/** @typedef {string|number|Node|(string|Node)[]} Argument whole numbers are written with narrow spaces */

let texts, plurals; // of the page; read on first use

/** formsOf returns the plural forms of a text. */
function formsOf(id) {
  texts ??= JSON.parse(document.getElementById('messages').textContent);
  return texts[id];
}

/** formOf returns the plural form of a number in the page's language. */
function formOf(count) {
  plurals ??= new Intl.PluralRules(document.documentElement.lang);
  return plurals.select(count);
}

/** grouped formats a whole number like messages.Grouped. */
function grouped(n) {
  const digits = String(Math.abs(n));
  return (n < 0 ? '−' : '') + (digits.length > 4 ? digits.replace(/\B(?=(\d{3})+$)/g, '\u202f') : digits);
}

/**
 * parts returns the pieces of a text whose arguments can be elements.
 * @param {string} id
 * @param {Record<string, Argument>} args by name; "count" selects the plural form
 * @returns {(string|Node)[]}
 */
export function parts(id, args = {}) {
  const forms = formsOf(id);
  if (!forms) return [id];
  const text = forms[args.count === undefined ? 'other' : formOf(args.count)] ?? forms.other;
  const argument = (value) => (Number.isInteger(value) ? grouped(value) : value);
  return text
    .split(/\{\{\.(\w+)\}\}/)
    .flatMap((piece, i) => (i % 2 ? argument(args[piece]) : piece))
    .filter((part) => part !== '');
}

/** t returns a text whose arguments are strings and numbers. */
export function t(id, args) {
  return parts(id, args).join('');
}

/** list joins items to a list. */
export function list(items) {
  return items.join(t('script.between'));
}
