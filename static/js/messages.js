// The texts that scripts say: they are in the catalogue engine/messages, of which the page
// carries those for scripts.

/** @typedef {string|number|Node|(string|Node)[]} Argument a whole number is written with narrow spaces */

let texts, plurals; // of the page; read when something is first said

/** formsOf are the plural forms of a text. */
function formsOf(id) {
  texts ??= JSON.parse(document.getElementById('messages').textContent);
  return texts[id];
}

/** formOf is the plural form of a number in the page's language. */
function formOf(count) {
  plurals ??= new Intl.PluralRules(document.documentElement.lang);
  return plurals.select(count);
}

/** grouped writes a whole number as messages.Grouped does. */
function grouped(n) {
  const digits = String(Math.abs(n));
  return (n < 0 ? '−' : '') + (digits.length > 4 ? digits.replace(/\B(?=(\d{3})+$)/g, '\u202f') : digits);
}

/**
 * parts are the pieces of a text whose arguments may be elements.
 * @param {string} id
 * @param {Record<string, Argument>} args by name; "count" chooses the plural form
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

/** t says a text whose arguments are strings and numbers. */
export function t(id, args) {
  return parts(id, args).join('');
}

/** list says items one after the other. */
export function list(items) {
  return items.join(t('script.between'));
}
