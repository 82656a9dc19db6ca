// Expressions of the browser tests of figures.

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
