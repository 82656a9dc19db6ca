// Readings as a sorted list of bars. Values are compared only with values of the same unit.

/**
 * @typedef {object} Reading
 * @property {string} unit
 * @property {number} amount in the unit; NaN: it has none
 * @property {boolean} few fewer is more: stages until two tokens meet
 */

/**
 * sorted groups readings by unit, in the order in which the units first occur, and sorts each group by
 * amount. Readings without an amount are last. web/pin.go has the same rule.
 * @param {Reading[]} readings
 * @returns {(Reading & {share: number})[]} share: fraction of the largest of the unit
 */
export function sorted(readings) {
  const units = [], top = {};
  for (const { unit, amount } of readings) {
    if (Number.isNaN(amount)) continue;
    if (!units.includes(unit)) units.push(unit);
    top[unit] = Math.max(top[unit] ?? 0, amount);
  }
  const place = ({ unit, amount }) => (Number.isNaN(amount) ? units.length : units.indexOf(unit));
  const list = [...readings].sort(
    (a, b) => place(a) - place(b) || (a.few ? a.amount - b.amount : b.amount - a.amount) || 0,
  );
  return list.map((one) => ({
    ...one,
    share: one.few || Number.isNaN(one.amount) ? 0 : one.amount / (top[one.unit] || 1),
  }));
}
