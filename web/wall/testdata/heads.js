// What the browser tests of heads ask of cards.
const heads = {
  // shown is what a card says of the head that it shows, and the small map that is marked.
  shown: (id) => {
    const card = document.getElementById(`card-${id}`);
    const says = card.querySelector('.heads-says').firstChild.textContent.trim();
    return `${says} | ${card.querySelector('.head[aria-current=true]').textContent}`;
  },
  says: () => [...document.querySelectorAll('.heads-says')].map((line) => line.textContent.trim()).join(),
  pixels: (id) => document.querySelector(`#map-${id} canvas.under`).toDataURL(),
};
