// Tracks which elements are in or near the window. Only visible ones are painted and follow the
// pointer.

export class Near {
  /**
   * @param {(element: HTMLElement) => void} come called when an element becomes visible
   * @param {{margin: string, root?: Element}} where margin: around the window or the root, within which
   *   elements count as visible
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
   * watch tracks the elements of the page. For new ones it determines at once whether they are visible.
   * @param {HTMLElement[]} elements
   * @param {(element: HTMLElement) => Element} [around] element to measure instead: if it is not visible,
   *   browsers need not lay out its content
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
