// A live figure: starts its engine, and draws the requested maps.

'use strict';

(() => {
  const $ = (id) => document.getElementById(id);
  const { files: names, first, mask, arrangement, words } = JSON.parse($('start').textContent);
  const cards = [...document.querySelectorAll('section[data-mechanism]')].map((box) => ({
    box,
    drawn: box.querySelector('attention-map'),
    map: box.querySelector('[name=map]'),
    plane: box.querySelector('[name=plane]'),
    says: box.querySelector('.where'),
    wrong: box.querySelector('.wrong'),
    mechanism: box.dataset.mechanism,
  }));
  const fields = { text: $('text'), layer: $('layer'), head: $('head'), norm: $('norm'), colours: $('colours') };

  /** carried returns the files of this page by their names, or null if one of them was changed after it was written. */
  function carried() {
    const bytesOf = ({ textContent, dataset: { size, sum } }) => decoded(textContent, Number(size), Number(sum));
    const files = new Map(names.map((name) => [name, $(name) && bytesOf($(name))]));
    return [...files.values()].every(Boolean) ? files : null;
  }

  /** choose fills a select with options, and keeps the selected value. */
  function choose(select, choices) {
    const was = select.value, now = [...select.options].map((o) => `${o.value}\n${o.label}`).join('\n');
    select.closest('label').hidden = choices.length < 2;
    if (now === choices.map(({ id, label }) => `${id}\n${label}`).join('\n')) return;
    select.replaceChildren(...choices.map(({ id, label }) => new Option(label, id)));
    if (choices.some(({ id }) => id === was)) select.value = was;
  }

  /** draw shows an answer on a card. */
  function draw(card, answer) {
    card.answer = answer;
    card.wrong.hidden = !answer.error;
    card.wrong.textContent = answer.error ?? '';
    card.drawn.hidden = !answer.figure;
    card.says.textContent = answer.where ?? '';
    if (answer.figure) card.drawn.figure = answer.figure;
    if (answer.maps) choose(card.map, answer.maps);
    choose(card.plane, (answer.planes ?? []).map((label, i) => ({ id: String(i + 1), label })));
  }

  /** offer fills in the layers and heads that any of the mechanisms has. */
  function offer() {
    const layers = cards.reduce(
      (most, { answer }) => ((answer?.layers?.length ?? 0) > most.length ? answer.layers : most),
      [],
    );
    const heads = Math.max(0, ...cards.map(({ answer }) => answer?.heads ?? 0));
    if (layers.length) choose(fields.layer, layers.map((label, i) => ({ id: String(i + 1), label })));
    const named = [['-1', words.distinctive], ['0', words.mean]].map(([id, label]) => ({ id, label }));
    if (heads)
      choose(fields.head, [
        ...named,
        ...Array.from({ length: heads }, (_, i) => ({ id: String(i + 1), label: `${words.head} ${i + 1}` })),
      ]);
  }

  const say = (text) => { $('state').textContent = text; $('state').hidden = !text; };

  /** look applies settings that change only the drawing. */
  function look() {
    for (const { drawn } of cards) {
      drawn.setAttribute('norm', fields.norm.value);
      drawn.setAttribute('cmap', fields.colours.value);
    }
  }

  let ask, asked = 0;

  /** show computes the map of the fields, and draws it unless the fields have changed meanwhile. */
  async function show() {
    const turn = ++asked, { text, layer, head } = fields;
    const shows = JSON.stringify([
      text.value,
      layer.value,
      head.value,
      ...cards.map(({ map, plane }) => map.value + plane.value),
    ]);
    document.documentElement.dataset.shows = '';
    await Promise.all(cards.map(async (card) => {
      const answer = await ask({
        text: text.value, mechanism: card.mechanism, map: card.map.value, plane: Number(card.plane.value),
        layer: Number(layer.value), head: Number(head.value), causal: mask, ...arrangement,
      });
      if (turn === asked) draw(card, answer);
    }));
    if (turn !== asked) return;
    offer();
    document.documentElement.dataset.shows = shows;
  }

  /** start starts the engine with its files. The promise resolves to a function that asks the engine. */
  function start(files) {
    const source = ['wasm_exec.js', 'engine.js', 'lzma.js', 'worker.js'].map((name) => $(name).textContent).join('\n');
    const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    const worker = new Worker(address), waiting = new Map();
    files.set('files.json', $('files.json').textContent);
    return new Promise((resolve, reject) => {
      worker.onerror = (event) => reject(new Error(event.message ?? ''));
      worker.onmessage = ({ data: { ready, failed, id, answer } }) => {
        if (ready)
          resolve(
            (request) =>
              new Promise((done) => {
                waiting.set(++asking, done);
                worker.postMessage({ id: asking, request });
              }),
          );
        else if (id) {
          waiting.get(id)(answer ?? { error: failed });
          waiting.delete(id);
        } else reject(new Error(failed));
      };
      worker.postMessage({ files }, [...files.values()].filter((part) => part.buffer).map((part) => part.buffer));
    });
  }

  let asking = 0;

  let later;
  const soon = () => { clearTimeout(later); later = setTimeout(show, 150); };
  cards.forEach((card, i) => draw(card, first[i]));
  offer();
  look();
  for (const field of [fields.norm, fields.colours]) field.addEventListener('change', look);
  const files = carried();
  if (!files) say(words.changed);
  else start(files).then((engine) => {
    ask = engine;
    say('');
    fields.text.addEventListener('input', soon);
    for (const select of [fields.layer, fields.head, ...cards.flatMap(({ map, plane }) => [map, plane])])
      select.addEventListener('change', show);
    for (const field of document.querySelectorAll('[disabled]')) field.disabled = false;
    document.documentElement.dataset.ready = 'true';
    return show();
  }).catch((error) => say(`${words.failed} ${error.message}`));
})();
