// Expressions of the browser tests of figures and of the element.

// bytes returns the bytes of a text in base 64.
const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

// dropped is about files that a visitor drops onto a page.
const dropped = {
  // on drops a file.
  on: (name, text) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([bytes(text)], name));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    return true;
  },
  // source resolves to the address in a file, or to none.
  source: async (text) => {
    const script = document.querySelector('script[type=module]').src;
    const { sourceOf } = await import(new URL('../js/drop.js', script));
    return sourceOf(bytes(text).buffer) ?? 'none';
  },
};

// widget draws a figure as a notebook does. The page gets the notebook's model, change, which sets one of its values,
// heard, which has its listeners, saved, the pin that was saved last, and leave, which removes the widget.
const widget = async (figure) => {
  const { default: made } = await import('/attention-map.js');
  const values = { figure, norm: 'map' }, heard = {};
  const model = {
    get: (key) => values[key],
    set: (key, value) => { values[key] = value; },
    on: (name, listener) => { heard[name] = listener; },
    off: (name) => { delete heard[name]; },
    save_changes: () => { window.saved = values.pin; },
  };
  const change = (key, value) => {
    values[key] = value;
    heard.change();
  };
  const leave = made.render({ model, el: document.getElementById('cell') });
  Object.assign(window, { model, change, heard, leave });
  return true;
};
