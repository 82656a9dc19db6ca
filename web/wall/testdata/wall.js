// Expressions of the browser tests of the wall.

// counting records the requests of the page from now on.
const counting = () => {
  window.asked = [];
  const real = window.fetch;
  window.really = real;
  window.fetch = (url, ...more) => { window.asked.push(String(url)); return real(url, ...more); };
  return true;
};

// view returns what a map of a card shows.
const view = {
  says: (id) => document.querySelector(`#${id} .view-read`).textContent.trim(),
  // cell returns the middle of a cell, in the window, as soon as the page no longer scrolls.
  cell: async (id, row, col) => {
    const { cols, rows } = document.getElementById(id).dataset, sheet = document.querySelector(`#${id} .sheet`);
    sheet.scrollIntoView({ block: 'center' });
    let b, before = 0;
    for (let rests = 0; rests < 3; rests = b.top === before ? rests + 1 : 0) {
      before = b?.top;
      await new Promise(requestAnimationFrame);
      b = sheet.getBoundingClientRect();
    }
    return [b.left + (col + 0.5) * b.width / cols, b.top + (row + 0.5) * b.height / rows];
  },
};

// enhanced is about the links that scripts follow within a page.
const enhanced = {
  // withoutMaps resolves to the paths to which such links lead, and which have no maps.
  withoutMaps: async () => {
    const links = [...document.querySelectorAll('a.enhance')].map((link) => [new URL(link.href).pathname, link.href]);
    const lacks = async (href) => {
      const page = new DOMParser().parseFromString(await (await fetch(href)).text(), 'text/html');
      return !page.querySelector('main[data-src]');
    };
    const all = await Promise.all([...new Map(links)].map(async ([path, href]) => (await lacks(href)) && path));
    return links.length ? all.filter(Boolean) : ['no links'];
  },
};
