// Which elements are in sight, or nearly: only those in sight are painted, and follow the hand.

export class Near {
  /**
   * @param {(element: HTMLElement) => void} come called when an element comes into sight
   * @param {{margin: string, root?: Element}} where margin: around the window, or around the root, in which
   *   elements count as in sight
   */
  constructor(come, { margin, root = null }) {
    Object.assign(this, { root, margin: parseInt(margin, 10) });
    this.seen = new WeakMap();
    this.observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        const before = this.seen.get(target);
        this.seen.set(target, isIntersecting);
        if (isIntersecting && before === false) come(target);
      }
    }, { root, rootMargin: margin });
  }

  /**
   * watch takes the elements of the page; of new ones it finds out at once where they are.
   * @param {HTMLElement[]} elements
   * @param {(element: HTMLElement) => Element} [around] what is measured in an element's place: where that is out of
   *   sight, browsers need not lay out what is in it
   */
  watch(elements, around = (element) => element) {
    const fresh = elements.filter((element) => !this.seen.has(element)), { margin } = this;
    if (!fresh.length) return;
    const window = this.root?.getBoundingClientRect() ?? { top: 0, left: 0, right: innerWidth, bottom: innerHeight };
    for (const element of fresh) {
      const { top, bottom, left, right } = around(element).getBoundingClientRect();
      this.seen.set(
        element,
        bottom > window.top - margin &&
          top < window.bottom + margin &&
          right > window.left - margin &&
          left < window.right + margin,
      );
    }
    for (const element of fresh) this.observer.observe(element);
  }

  has(element) { return this.seen.get(element) !== false; }
}
