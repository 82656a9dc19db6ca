// Marks a form whose page is on its way, and whether that takes long.

const SLOW = 200; // ms after which a visitor sees that an answer is pending

/** @type {WeakMap<Element, number>} the timers of waiting forms */
const timers = new WeakMap();

/**
 * wait marks a form as waiting. Its marks in the page begin later, so that fast answers cost no painting.
 * @param {Element} form
 */
export function wait(form) {
  arrived(form);
  form.setAttribute('aria-busy', 'true');
  timers.set(form, setTimeout(() => form.setAttribute('data-slow', ''), SLOW));
}

/**
 * arrived takes the marks away.
 * @param {Element} form
 */
export function arrived(form) {
  clearTimeout(timers.get(form));
  for (const name of ['aria-busy', 'data-slow']) form.removeAttribute(name);
}
