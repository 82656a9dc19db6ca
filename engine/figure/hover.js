// Shows the words and the value of the cell under the pointer. Numbers are those of the tables below the figure.
(() => {
  'use strict';
  const svg = document.querySelector('svg');
  const out = document.querySelector('output');
  const maps = [...document.querySelectorAll('table')].map((table) => ({
    table,
    box: table.dataset.box.split(' ').map(Number), // left, top, width of a column, height of a row
    cols: [...table.tHead.rows[0].cells].slice(1).map((cell) => cell.textContent),
    rows: [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent)),
  }));
  const read = (event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    for (const { box: [left, top, width, height], cols, rows } of maps) {
      const col = Math.floor((at.x - left) / width);
      const row = rows[Math.floor((at.y - top) / height)];
      if (col >= 0 && col < cols.length && row) return `${row[0]} → ${cols[col]}: ${row[col + 1] || '–'}`;
    }
    return '';
  };
  svg.addEventListener('pointermove', (event) => { out.textContent = read(event); });
  svg.addEventListener('pointerdown', (event) => { out.textContent = read(event); });
  svg.addEventListener('pointerleave', () => { out.textContent = ''; });
})();
