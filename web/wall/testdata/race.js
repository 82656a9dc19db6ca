// Expressions of the browser tests of the fill-in board.
const race = {
  rows: () => document.querySelectorAll('#race tbody tr').length,
  first: () => document.querySelector('#race tbody tr').textContent,
  guessed: () => [...document.querySelectorAll('#race tbody tr:not(.race-waits)')],
  waiting: () => document.querySelectorAll('#race tr.race-waits').length,
  turns: () => document.querySelectorAll('#race .turn').length,
  says: () => document.getElementById('race-says').textContent,
  progress: () => document.getElementById('race-progress').textContent,
  // sorted: no model is above one with more correct words.
  sorted: () =>
    race
      .guessed()
      .map((row) => parseInt(row.cells[2].textContent))
      .every((n, i, all) => i === 0 || n <= all[i - 1]),
  // over returns by how many pixels the board is wider than its frame.
  over: () => {
    const right = (selector) => document.querySelector(selector)?.getBoundingClientRect().right;
    return Math.ceil((right('.race-frame') ?? right('.race-board')) - right('#race'));
  },
};
