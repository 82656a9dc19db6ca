// Expressions of the browser tests of the program.

// figure is a file with a figure.
const figure = {
  // says moves the pointer over a cell of a map, and returns what the file says of it.
  says: (map) => {
    const table = document.querySelectorAll('table')[map], svg = document.querySelector('svg');
    const [left, top, width, height] = table.dataset.box.split(' ').map(Number);
    const row = table.tBodies[0].rows.length > 1 ? 2.5 : 0.5;
    const at = new DOMPoint(left + 3.5 * width, top + row * height).matrixTransform(svg.getScreenCTM());
    svg.dispatchEvent(new PointerEvent('pointermove', { clientX: at.x, clientY: at.y }));
    return document.querySelector('output').textContent;
  },
};

// saving keeps the next file that the page saves, and its link, instead of saving it.
const saving = () => {
  const click = HTMLAnchorElement.prototype.click, made = URL.createObjectURL;
  URL.createObjectURL = (file) => {
    window.file = file;
    return made.call(URL, file);
  };
  HTMLAnchorElement.prototype.click = function () {
    if (this.download && !this.isConnected) window.kept = this;
    else click.call(this);
  };
  return true;
};

// timed measures what a page takes, in milliseconds.
const timed = {
  // key selects the last letter. The next key sets window.redrawn to how long the page waited for another letter,
  // and then took until it was drawn.
  key: () => {
    const text = document.getElementById('c-text'), form = document.getElementById('controls');
    text.focus({ preventScroll: true });
    text.setSelectionRange(text.value.length - 1, text.value.length);
    let began = 0, asked = 0;
    text.addEventListener('keydown', () => { began = performance.now(); }, { once: true });
    window.redrawn = new Promise((done) => new MutationObserver((_, seen) => {
      if (form.hasAttribute('aria-busy')) { asked ||= performance.now(); return; }
      seen.disconnect();
      requestAnimationFrame(() => setTimeout(() => done([asked - began, performance.now() - asked])));
    }).observe(form, { attributes: true, attributeFilter: ['aria-busy'] }));
    return true;
  },
  // live resolves to the time from a text of a self-contained figure to its maps.
  live: (text) => new Promise((done) => {
    const page = document.documentElement, began = performance.now();
    document.getElementById('text').value = text;
    new MutationObserver((_, seen) => {
      if (!page.dataset.shows) return;
      seen.disconnect();
      requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
    }).observe(page, { attributeFilter: ['data-shows'] });
    document.getElementById('layer').dispatchEvent(new Event('change'));
  }),
};

// answered resolves to true when the page no longer waits for an answer.
const answered = async () => {
  const form = document.getElementById('controls');
  while (form.hasAttribute('aria-busy')) await new Promise((done) => setTimeout(done, 5));
  return true;
};
