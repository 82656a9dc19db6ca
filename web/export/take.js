// The export page: another format, paper or theme is shown at once, without a button.

import { offer } from '../js/citation.js';
import { byId, leave } from '../js/dom.js';

const PARTS = ['take-file', 'take-preview', 'take-texts'];

/** preview updates the preview when a setting changes. */
function preview(form) {
  let asking = null;
  const show = async (address) => {
    asking?.abort();
    const { signal } = asking = new AbortController();
    byId('take-preview').setAttribute('aria-busy', 'true');
    try {
      const page = new DOMParser().parseFromString(await (await fetch(address, { signal })).text(), 'text/html');
      if (!PARTS.every((id) => page.getElementById(id))) throw new Error(address);
      const picture = page.querySelector('#take-preview img');
      if (picture)
        await Object.assign(new Image(), { src: picture.src })
          .decode()
          .catch(() => {}); // keep the page until the new one is there
      if (signal.aborted) return;
      for (const id of PARTS) byId(id).replaceChildren(...page.getElementById(id).childNodes);
      for (const one of page.querySelectorAll('.take-form select')) form.elements[one.name].value = one.value;
      byId('take-preview').removeAttribute('aria-busy');
      offer();
    } catch (error) {
      if (error.name !== 'AbortError') leave(address); // that page shows the error
    }
  };
  form.querySelector('[type=submit]').hidden = true;
  form.addEventListener('change', () => {
    const address = `${form.getAttribute('action')}?${new URLSearchParams(new FormData(form))}`;
    history.pushState(null, '', address);
    show(location.href);
  });
  addEventListener('popstate', () => show(location.href));
}

preview(document.querySelector('.take-form'));
