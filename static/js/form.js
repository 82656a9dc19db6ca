// The form as a URL, and its text field while it is empty: the last maps stay, dimmed, with a hint.

import { byId } from './dom.js';
import { t } from './messages.js';

/** urlOf returns the URL of the page for the values of the form. */
export function urlOf(form) {
  const url = new URL(form.action, location.href);
  const several = [], order = form.elements.order?.value.split(',') ?? [];
  const menu = form.querySelector('#c-mechanisms input')?.name;
  for (const [key, value] of new FormData(form)) {
    if (key === menu) several.push(value);
    else if (key === 'order') continue;
    else url.searchParams.append(key, String(value).replace(/\r\n/g, '\n'));
  }
  const place = (id) => (order.includes(id) ? order.indexOf(id) : order.length);
  if (menu) url.searchParams.append(menu, several.sort((a, b) => place(a) - place(b)).join(','));
  if (empty()) last(url, byId('c-text').name);
  return url;
}

/** empty reports whether the text field is empty. */
const empty = () => byId('c-text')?.value.trim() === '';

/** last sets the text in a URL to that of the current page. */
function last(url, name) {
  const text = new URL(location.href).searchParams.get(name);
  if (text === null) url.searchParams.delete(name);
  else url.searchParams.set(name, text);
}

/** emptied dims the maps while the text field is empty, and reports whether it is. */
export function emptied() {
  const box = byId('c-text'), now = empty(), main = byId('main');
  if (now !== 'emptied' in main.dataset) {
    main.toggleAttribute('data-emptied', now);
    box.dataset.usual ??= box.placeholder;
    box.placeholder = now ? t('script.page.emptied') : box.dataset.usual;
  }
  if (now && byId('status')) byId('status').textContent = t('script.page.no-text');
  return now;
}
