// The addresses of figures: of the part of the map that is visible, or of the tokens that the visitor names.

import { byId } from '../js/dom.js';

/** Save keeps the links to figures. */
export class Save {
  /** @param {() => URLSearchParams} asked the parameters of the head */
  constructor(asked) {
    Object.assign(this, { asked, box: byId('long-save') });
    for (const event of ['pointerover', 'focusin', 'click']) this.box.addEventListener(event, () => this.link(), true);
  }

  field(name) { return this.box.querySelector(`[name=${name}]`); }

  /** follow names the visible tokens, except in the field that the visitor changes. */
  follow(viewer) {
    const { view, n, width, height } = viewer;
    const put = (name, at, size) => {
      const field = this.field(name);
      const last = Math.min(n, Math.ceil(at + size / view.scale));
      if (field !== document.activeElement) field.value = `${Math.floor(at) + 1}-${last}`;
    };
    put('rows', view.y, height);
    put('cols', view.x, width);
  }

  /** link sets the addresses of the links. */
  link() {
    const search = this.asked();
    for (const name of ['rows', 'cols']) search.set(name, this.field(name).value.trim());
    for (const link of this.box.querySelectorAll('a')) {
      const url = new URL(link.dataset.figure, document.baseURI);
      url.search = String(search);
      link.href = url;
    }
  }
}
