// Expressions that browser tests of all pages use. See Ask in ask.go.

// shown lists what the pages of maps show.
const shown = {
  pair: () => document.getElementById('pair').innerText.replace(/\s+/g, ' ').trim(),
  text: () => new URL(location.href).searchParams.get('text'),
  pin: () => new URL(location.href).searchParams.get('pin') ?? '',
  reading: (id) => document.querySelector(`#readings [data-mechanism="${id}"] dd`).firstChild.textContent,
};

// figures lists what the figures of cards show.
const figures = {
  // labels returns the labels of maps that are no longer what the page shows.
  labels: () => [...document.querySelectorAll('.figure')].map((f) => getComputedStyle(f, '::after').content).join(),
};

// training uses the player of a training.
const training = {
  now: () => document.querySelector('.training-now').textContent,
  // point moves the pointer over a cell of a map.
  point: (selector, row, col, rows, cols) => {
    const map = document.querySelector(selector), box = map.getBoundingClientRect();
    const clientX = box.left + (col + 0.5) * box.width / cols, clientY = box.top + (row + 0.5) * box.height / rows;
    map.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, clientX, clientY }));
    return true;
  },
  // slide moves the slider to a frame.
  slide: (frame) => {
    const slider = document.querySelector('.training-scrub');
    slider.value = frame;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    return true;
  },
};

// drawn resolves to true when the page has been drawn.
const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))));

// middle returns the middle of an element, in the window.
const middle = (selector) => {
  const b = document.querySelector(selector).getBoundingClientRect();
  return [b.x + b.width / 2, b.y + b.height / 2];
};

// box returns the position of an element in the window: left, top, right and bottom.
const box = (selector) => {
  const b = document.querySelector(selector).getBoundingClientRect();
  return [b.left, b.top, b.right, b.bottom];
};

// cell returns the middle of a cell of a card's map, in the window.
const cell = (id, row, col) => {
  const map = document.getElementById(`map-${id}`), b = map.getBoundingClientRect();
  return [b.left + (col + 0.5) * b.width / map.dataset.cols, b.top + (row + 0.5) * b.height / map.dataset.rows];
};

// set gives a field a value, like a visitor's input.
const set = (id, value, event) => {
  const field = document.getElementById(id);
  field.value = value;
  field.dispatchEvent(
    event === 'input' ? new InputEvent('input', { bubbles: true }) : new Event(event, { bubbles: true }),
  );
  return true;
};

// violations returns the violations that axe-core finds in the page without open menus, and then in one of the open
// menus of each name, because the next click closes a menu. A dark page is checked only for contrast, because the
// light page has the same elements.
const violations = async () => {
  const menus = [...document.querySelectorAll('details.menu[open]')], found = [];
  const dark = document.documentElement.dataset.theme === 'dark', resultTypes = ['violations'];
  const runOnly = dark ? ['color-contrast'] : ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'];
  const look = async (at) => found.push(...(await axe.run(at, { runOnly, resultTypes })).violations);
  for (const menu of menus) menu.open = false;
  await look(document);
  for (const menu of new Map(menus.map((m) => [m.querySelector('summary').textContent.trim(), m])).values()) {
    menu.open = true;
    await look(menu);
    menu.open = false;
  }
  const place = (node) => `${node.html.slice(0, 160)} ${node.any.map((a) => a.message).join('; ')}`;
  return found.map((v) => `${v.id}: ${v.help} — ${v.nodes.slice(0, 3).map(place).join(' | ')}`);
};
