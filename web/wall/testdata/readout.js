// Expressions of the browser tests of words, read-outs and controls.

// words is about the coloured words of the text.
const words = {
  // contrast returns the smallest contrast between a coloured word and its ground (WCAG 2.2).
  contrast: () => {
    const linear = (v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
    const light = (colour) => {
      const [r, g, b] = colour.match(/\d+(\.\d+)?/g).slice(0, 3).map(linear);
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const all = [...document.querySelectorAll('.token.tinted')].map((chip) => {
      const rect = chip.querySelector('.tint rect');
      const ground = light(getComputedStyle(rect ?? chip)[rect ? 'fill' : 'backgroundColor']);
      const ink = light(getComputedStyle(chip.querySelector('.word, bdi')).color);
      return (Math.max(ground, ink) + 0.05) / (Math.min(ground, ink) + 0.05);
    });
    return Math.min(...all);
  },
  // darkest returns the words of the darkest colour.
  darkest: () => {
    const chips = [...document.querySelectorAll('.token')];
    const red = (chip) => Number(chip.style.backgroundColor.match(/\d+/)[0]), least = Math.min(...chips.map(red));
    return chips.filter((chip) => red(chip) === least).map((chip) => chip.dataset.label).join();
  },
};

const readout = {
  // strongest returns the first word of the marked line.
  strongest: () => document.querySelector('.reading.seen bdi').textContent.split(' ')[0],
  // four: there are four lines, and the read-out needs no scrolling.
  four: () => {
    const frame = document.getElementById('readings-frame');
    return document.querySelectorAll('.reading').length === 4 && frame.scrollHeight <= frame.clientHeight;
  },
  // whole: no part of the four lines is cut.
  whole: () =>
    readout.four() &&
    [...document.querySelectorAll('.reading > *')].every((one) => one.scrollWidth <= one.clientWidth),
  // readable: no name of the four lines is cut, and no value or first word of a row.
  readable: () => {
    const { right } = document.getElementById('readings-frame').getBoundingClientRect();
    const whole = (one) =>
      one && one.scrollWidth <= one.clientWidth + 1 && one.getBoundingClientRect().right <= right + 1;
    const value = (line) => line.querySelector('dd').firstElementChild ?? line.querySelector('dd');
    const all = [...document.querySelectorAll('.reading')];
    return readout.four() && all.every((line) => whole(line.querySelector('dt')) && whole(value(line)));
  },
  // misfits returns what is too small for a finger, or outside of a window of 360 pixels.
  misfits: () => {
    const buttons = document.querySelectorAll('.restore, #restore-all, #cut-cell, #cut-word, .cut-menu summary');
    const small = [...buttons].filter((e) => e.offsetHeight && (e.offsetHeight < 24 || e.offsetWidth < 24));
    const parts = [...document.querySelectorAll('.cuts *, .readout *, #card-dot-product .cut-change *')];
    const out = parts.filter((e) => e.getBoundingClientRect().right > 361 && !e.closest('.readings-frame'));
    const wide = document.documentElement.scrollWidth > 360 ? ' wide' : '';
    return [...small, ...out].map((e) => e.className || e.id).join(' ') + wide;
  },
};

// scatter is about the plot of a card.
const scatter = {
  // point returns the middle of the point of a single cell, in the window.
  point: (id, cell) => {
    const plot = document.querySelector(`#card-${id} .scatter svg`), path = plot.querySelector('.scatter-points');
    plot.scrollIntoView({ block: 'center' });
    const at = path.dataset.cells.split(' ').indexOf(String(cell));
    const [, x, y] = [...path.getAttribute('d').matchAll(/M(\d+) (\d+)/g)][at];
    const spot = new DOMPoint(x, y).matrixTransform(plot.getScreenCTM());
    return [spot.x, spot.y];
  },
};

// typing is about texts that change while the page answers.
const typing = {
  // many resolves when six texts have been sent, each before the answer to the previous one.
  many: async () => {
    const field = document.getElementById('c-text');
    const long = 'the cat sat on the mat because it was tired and the dog saw it '.repeat(3);
    for (let i = 1; i <= 6; i++) {
      field.value = long.slice(0, 150 + i) + ' end' + i;
      document.getElementById('controls').requestSubmit();
      await new Promise((done) => setTimeout(done, 60));
    }
    return true;
  },
  // timed records when the page asks and when it marks a slow answer. An observer would hear of aria-busy only after
  // a long task.
  timed: () => {
    const form = document.getElementById('controls'), set = form.setAttribute;
    form.setAttribute = function (name, value) {
      if (name === 'aria-busy') window.asked ??= performance.now();
      set.call(this, name, value);
    };
    new MutationObserver(() => {
      if (form.hasAttribute('data-slow')) window.marked ??= performance.now();
    }).observe(form, { attributes: true });
    return true;
  },
};

// painting records the cards whose maps are painted from now on.
const painting = {
  start: () => {
    window.painted = new Set();
    const put = CanvasRenderingContext2D.prototype.putImageData;
    CanvasRenderingContext2D.prototype.putImageData = function (...of) {
      const card = this.canvas.closest('.map')?.closest('.card');
      if (card) window.painted.add(card.id);
      return put.apply(this, of);
    };
    return true;
  },
  // inSight returns the cards with a map in sight.
  inSight: () =>
    [...document.querySelectorAll('.card')].filter((card) => {
      const { top, bottom } = card.querySelector('.figure').getBoundingClientRect();
      return card.querySelector('.map') && top < innerHeight && bottom > 0;
    }).map((card) => card.id),
  // seen: a card is in sight, and all cards in sight have been painted.
  seen: (at) => {
    const all = painting.inSight();
    return all.includes(document.querySelectorAll('.card')[at].id) && all.every((id) => window.painted.has(id));
  },
};

// following resolves to what happens while the pointer moves over a map, one move per frame: moves of lines, writes of
// texts, tenths of a second, and frames so slow that the pointer seemed to rest.
const following = async () => {
  const map = document.querySelector('.map'), b = map.getBoundingClientRect(), begun = performance.now();
  let moves = 0, writes = 0, rests = 0, last = begun;
  const all = { childList: true, subtree: true };
  new MutationObserver(() => { moves++; }).observe(map.querySelector('.cross'), { ...all, attributes: true });
  new MutationObserver(() => { writes++; }).observe(document.getElementById('pair'), { ...all, characterData: true });
  for (let i = 0; i < 19; i++) {
    const at = (i + 0.5) / 19, clientX = b.left + at * b.width, clientY = b.top + at * b.height;
    map.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, clientX, clientY }));
    await new Promise((done) => requestAnimationFrame(done));
    const now = performance.now();
    rests += now - last > 60;
    last = now;
  }
  return [moves, writes, Math.ceil((performance.now() - begun) / 100), rests];
};
