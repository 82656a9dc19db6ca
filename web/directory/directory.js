// The directory of all pages. A search keeps the entries that contain all typed words, as the server does.

import { byId } from '../js/dom.js';
import { t } from '../js/messages.js';

const field = byId('q'), groups = [...document.querySelectorAll('.directory-group')];
const usual = groups.map((group) => 'usual' in group.dataset);

/** search shows the entries that have all words, and opens their groups. */
function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const [i, group] of groups.entries()) {
    let here = 0;
    for (const entry of group.querySelectorAll('li')) {
      const has = entry.textContent.toLowerCase();
      entry.hidden = !words.every((word) => has.includes(word));
      if (!entry.hidden) here += 1;
    }
    group.hidden = !here;
    group.querySelector('.directory-count').textContent = here;
    group.open = words.length ? here > 0 : usual[i];
    found += here;
  }
  byId('found').textContent = words.length ? t('script.directory.found', { count: found }) : '';
}

/** keep puts the search into the address. */
function keep() {
  const url = new URL(location.href);
  if (field.value.trim()) url.searchParams.set(field.name, field.value);
  else url.searchParams.delete(field.name);
  history.replaceState(null, '', url);
}

field.form.addEventListener('submit', (event) => {
  event.preventDefault();
  groups.flatMap((group) => [...group.querySelectorAll('li:not([hidden]) a')])[0]?.focus();
});
field.addEventListener('input', () => { search(); keep(); });
// a published folder has one file for all searches
if (!field.value) field.value = new URL(location.href).searchParams.get(field.name) ?? '';
if (field.value) search();
