// The form as an address, and its text box while it is empty: then the last maps stay, dimmed, with a hint.

import { byId } from './dom.js';
import { t } from './messages.js';

/** urlOf is the page's address for what the form says. */
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

/** empty says whether the text box has nothing to send. */
const empty = () => byId('c-text')?.value.trim() === '';

/** last gives an address the text of the page as shown. */
function last(url, name) {
  const text = new URL(location.href).searchParams.get(name);
  if (text === null) url.searchParams.delete(name);
  else url.searchParams.set(name, text);
}

/** emptied dims the maps while the text box is empty, and says whether it is. */
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
