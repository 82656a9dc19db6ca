// Expressions of the browser tests of heads.
const heads = {
  // shown returns a card's text about its head, and the marked small map.
  shown: (id) => {
    const card = document.getElementById(`card-${id}`);
    const says = card.querySelector('.heads-says').firstChild.textContent.trim();
    return `${says} | ${card.querySelector('.head[aria-current=true]').textContent}`;
  },
  says: () => [...document.querySelectorAll('.heads-says')].map((line) => line.textContent.trim()).join(),
  pixels: (id) => document.querySelector(`#map-${id} canvas.under`).toDataURL(),
};
