// Expressions of the browser tests of drawn maps.

// pixels resolves to the pixels of a picture of the server.
const pixels = async (link) => {
  const image = await createImageBitmap(await (await fetch(link)).blob());
  const copy = new OffscreenCanvas(image.width, image.height).getContext('2d');
  copy.drawImage(image, 0, 0);
  return copy.getImageData(0, 0, image.width, image.height);
};

// otherCells returns the number of cells of a canvas whose colours are not those of the server's picture. Cells
// without a value are hatched.
const otherCells = (canvas, want, { rows, cols }, classes) => {
  if (want.width !== cols || want.height !== rows) return 1e6;
  const edge = (i, n, size) => Math.max(0, Math.ceil((i * size) / n - 0.5));
  const got = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  let differ = 0;
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < cols; c++) {
      if ('125'.includes(classes[r * cols + c] ?? 'x')) continue;
      const at = 4 * ((edge(r, rows, canvas.height) + 1) * canvas.width + edge(c, cols, canvas.width) + 1);
      for (let k = 0; k < 3; k++) if (got[at + k] !== want.data[4 * (r * cols + c) + k]) differ++;
    }
  }
  return differ;
};

const drawings = {
  // differing resolves to the maps and planes whose canvas and server picture have cells of different colours, once
  // they are visible, and to the number of compared ones.
  differing: async () => {
    const found = [];
    let compared = 0;
    const compare = async (id, box, map, plane) => {
      const canvas = box.querySelector('canvas.under');
      const link = new URL('/export/' + id + '.png' + location.search, location.href);
      if (!canvas) return;
      for (const [key, value] of [['bare', 1], ['scale', 1], ['map', map.name]]) link.searchParams.set(key, value);
      if (map.planes.length > 1) link.searchParams.set('plane', plane + 1);
      const differ = otherCells(canvas, await pixels(link), map, map.planes[plane].classes || '');
      compared++;
      if (differ) found.push(id + ' ' + map.name + ' ' + plane + ': ' + differ);
    };
    for (const el of document.querySelectorAll('.map, .strip, .view')) {
      const id = el.closest('[data-mechanism]').dataset.mechanism;
      const from = el.closest('.more')?.dataset.src ?? document.getElementById('main').dataset.src;
      const answer = await (await fetch(new URL(from, location.href))).json();
      const map = answer.mechanisms.find((m) => m.id === id).maps.find((m) => m.name === el.dataset.map);
      el.scrollIntoView({ block: 'center' });
      for (let frame = 0; frame < 3; frame++) {
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      }
      for (let plane = 0; plane < map.planes.length; plane++) {
        el.querySelectorAll('.plane')[plane]?.click();
        await compare(id, el.querySelector('.sheet') ?? el, map, plane);
      }
    }
    return [...found, 'of ' + compared];
  },
  // unlikeFresh resolves to the differences from the page that the server sends for the address: in links, pictures,
  // legends and controls.
  unlikeFresh: async () => {
    const sent = await (await window.really(location.href)).text();
    const fresh = new DOMParser().parseFromString(sent, 'text/html'), differ = [];
    const same = (what, of) => {
      const [a, b] = [document, fresh].map((d) => JSON.stringify(of(d)));
      if (a !== b) differ.push(what + ': ' + a + ' instead of ' + b);
    };
    same('theme', (d) => [d.documentElement.dataset.theme, d.querySelector('meta[name="color-scheme"]').content]);
    same('address', (d) => {
      const { permalink, src } = d.getElementById('main').dataset;
      return [permalink, d.querySelector('.permalink')?.textContent, src];
    });
    same('legends', (d) => [...d.querySelectorAll('.bar')].map((b) => b.className));
    same('controls', (d) => [...d.querySelectorAll('#controls select')].map((s) => s.value));
    same('links', (d) => [...d.querySelectorAll('a[href]')].map((a) => a.getAttribute('href')));
    const source = (c) => (c.media ?? '') + (c.getAttribute('src') ?? c.srcset);
    const pictures = (d) => [...d.querySelectorAll('picture')].map((p) => [...p.children].map(source).join());
    const known = pictures(fresh);
    for (const p of pictures(document)) if (!known.includes(p)) differ.push('picture ' + p);
    return differ;
  },
};
