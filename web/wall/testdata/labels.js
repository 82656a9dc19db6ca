// Expressions of the browser tests of labels.

// letters returns the box of a part of a text.
const letters = (text, from, to) => {
  const range = document.createRange();
  range.setStart(text, from);
  range.setEnd(text, to);
  return range.getBoundingClientRect();
};

// lines returns the boxes and the words of the lines of a text.
const lines = (text) => {
  const all = [];
  let from = 0;
  for (const words of text.data.split('\n')) {
    if (words) all.push({ words, box: letters(text, from, from + words.length) });
    from += words.length + 1;
  }
  return all;
};

const labels = {
  // covered returns the axis titles that are partly covered.
  covered: () => {
    const covers = [...document.querySelectorAll('#card-dot-product .cover:not([hidden])')];
    const titles = [...document.querySelectorAll('#card-dot-product .axis-title')].filter((title) => {
      const range = document.createRange();
      range.selectNodeContents(title);
      const a = range.getBoundingClientRect();
      return covers.some((cover) => {
        const b = cover.getBoundingClientRect();
        return a.left < b.right - 1 && a.right > b.left + 1 && a.top < b.bottom - 3 && a.bottom > b.top + 3;
      });
    });
    return titles.map((title) => title.textContent).join(', ');
  },
  // bracket returns the place of a bracket of the labels of rows, in the page: the first or the last one.
  bracket: (which) => {
    const text = document.querySelector('#card-dot-product .labels-rows .label').firstChild;
    const at = text.data[which]('['), b = letters(text, at, at + 1);
    return [b.left + scrollX, b.top + scrollY, b.width, b.height];
  },
  // overlapping returns the words of the outer lane that touch words of the inner one.
  overlapping: () => {
    const [near, far] = document.querySelectorAll('#card-dot-product .labels-rows > .label'), out = [];
    for (const outer of far.querySelectorAll('.outer')) {
      const a = letters(outer.firstChild, 0, outer.firstChild.data.length);
      const touches = ({ box: b }) => a.right > b.left + 1 && Math.abs((a.top + a.bottom - b.top - b.bottom) / 2) < 14;
      out.push(...lines(near.firstChild).filter(touches).map(() => outer.textContent));
    }
    return out.join();
  },
  // cut returns the labels that the word of a pinned row or column covers in part.
  cut: () => {
    const cut = [], card = document.querySelector('#card-dot-product');
    for (const [axis, from, to] of [['row', 'top', 'bottom'], ['col', 'left', 'right']]) {
      const over = card.querySelector('.pill-' + axis).getBoundingClientRect();
      const cover = card.querySelector('.cover-' + axis).getBoundingClientRect();
      const [near, far] = axis === 'row' ? ['left', 'right'] : ['top', 'bottom'];
      const walker = document.createTreeWalker(card.querySelector('.labels-' + axis + 's'), NodeFilter.SHOW_TEXT);
      for (let text; (text = walker.nextNode());) {
        const ink = 0.37 * parseFloat(getComputedStyle(text.parentElement).fontSize);
        for (const { words, box: b } of lines(text)) {
          const middle = (b[from] + b[to]) / 2, low = middle - ink, high = middle + ink;
          const own = Math.abs(middle - (over[from] + over[to]) / 2) < 2;
          const along = low < over[to] - 1 && high > over[from] + 1;
          const meets = along && b[near] < over[far] - 3 && b[far] > over[near] + 3;
          const inside = (box) => low >= box[from] - 1 && high <= box[to] + 1;
          const hides = (box) => inside(box) && b[near] >= box[near] - 1 && b[far] <= box[far] + 3;
          if (meets && !own && ![cover, over].some(hides)) cut.push(words);
        }
      }
    }
    return cut.join(', ');
  },
  // touching returns the legends that are this many pixels wide and whose numbers touch or leave the bar.
  touching: (width) =>
    [...document.querySelectorAll('.legend-ticks')].flatMap((ticks) => {
      const legend = ticks.closest('.legend');
      legend.style.width = `${width}px`;
      const boxes = [...ticks.querySelectorAll('text')].map((label) => label.getBoundingClientRect());
      const bar = ticks.getBoundingClientRect();
      const leaves = (b) => b.left < bar.left - 1 || b.right > bar.right + 1;
      return boxes.some((b, i) => leaves(b) || (i && b.left < boxes[i - 1].right + 1)) ? [legend.textContent] : [];
    }),
};
