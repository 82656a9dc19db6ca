// Attention against influence: a point of the plot is a pair of tokens, like a cell of the map.

const NEAR = 8; // distance of the pointer from a point, in units of the plot

/** @type {WeakMap<Element, {x: number, y: number, cells: number[]}[]>} */
const known = new WeakMap();

/** dots returns the positions of a plot with their cells. */
function dots(path) {
  if (!known.has(path)) {
    const cells = path.dataset.cells.split(' ');
    known.set(
      path,
      [...path.getAttribute('d').matchAll(/M(-?\d+) (-?\d+)/g)].map(([, x, y], i) => ({
        x: Number(x),
        y: Number(y),
        cells: cells[i].split(',').map(Number),
      })),
    );
  }
  return known.get(path);
}

/** cellAt returns the pair of tokens whose point is nearest to the pointer, or null. */
export function cellAt({ target, clientX, clientY }) {
  const plot = target.closest('.scatter svg'), path = plot?.querySelector('.scatter-points');
  if (!path) return null;
  const at = new DOMPoint(clientX, clientY).matrixTransform(plot.getScreenCTM().inverse());
  const far = ({ x, y }) => Math.hypot(x - at.x, y - at.y);
  const next = dots(path).reduce((best, dot) => (far(dot) < far(best) ? dot : best));
  if (far(next) > NEAR) return null;
  const words = Number(path.dataset.words), [cell] = next.cells;
  return { row: Math.floor(cell / words), col: cell % words };
}

/** mark puts a dot on the point of each plot's cell. */
export function mark(plots, of) {
  for (const path of plots) {
    const at = of(path);
    const cell = at && at.row !== null && at.col !== null ? at.row * Number(path.dataset.words) + at.col : -1;
    const dot = cell < 0 ? undefined : dots(path).find(({ cells }) => cells.includes(cell));
    let sign = path.parentNode.querySelector('.scatter-at');
    if (!dot) {
      sign?.remove();
      continue;
    }
    if (!sign) path.after(sign = document.createElementNS(path.namespaceURI, 'circle'));
    for (const [key, value] of Object.entries({ class: 'scatter-at', r: 4.5, cx: dot.x, cy: dot.y }))
      sign.setAttribute(key, value);
  }
}
