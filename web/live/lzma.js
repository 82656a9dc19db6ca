// LZMA, as web/live/lzma writes it, for workers and for Node. Source: I. Pavlov, LZMA specification, 2015.

'use strict';

/**
 * unlzma returns the content of an .lzma file whose header states the size.
 * @param {Uint8Array} from
 * @returns {Uint8Array}
 */
function unlzma(from) {
  const header = new DataView(from.buffer, from.byteOffset, 13), kind = header.getUint8(0);
  const to = new Uint8Array(Number(header.getBigUint64(5, true)));
  const literalBits = kind % 9,
    literalPlaces = 2 ** (Math.floor(kind / 9) % 5) - 1,
    places = 2 ** Math.floor(kind / 45) - 1;
  const even = (n) => new Uint16Array(n).fill(1024);
  const isMatch = even(12 * 16), isLong = even(12 * 16), isRep = [even(12), even(12), even(12), even(12)];
  const slots = [even(64), even(64), even(64), even(64)], near = even(115), align = even(16);
  const literals = even(0x300 << (literalBits + Math.floor(kind / 9) % 5));
  const lengths = () => ({ choice: even(2), low: even(16 * 8), mid: even(16 * 8), high: even(256) });
  const fresh = lengths(), again = lengths(), last = [0, 0, 0, 0];
  let next = 18, width = 0xffffffff, code = 0; // after 13 bytes of header and a zero byte
  for (let i = 14; i < 18; i++) code = ((code << 8) | from[i]) >>> 0;

  const settle = () => {
    width = (width << 8) >>> 0;
    code = ((code << 8) | from[next++]) >>> 0;
  };
  const bit = (chances, i) => {
    const chance = chances[i], bound = (width >>> 11) * chance;
    let value = 0;
    if (code < bound) {
      width = bound;
      chances[i] = chance + ((2048 - chance) >> 5);
    } else {
      width -= bound;
      code -= bound;
      chances[i] = chance - (chance >> 5);
      value = 1;
    }
    if (width < 0x1000000) settle();
    return value;
  };
  const direct = (n) => {
    let value = 0;
    while (n-- > 0) {
      width >>>= 1;
      value <<= 1;
      if (code >= width) { code -= width; value |= 1; }
      if (width < 0x1000000) settle();
    }
    return value;
  };
  const tree = (chances, first, bits) => {
    let at = 1;
    for (let i = 0; i < bits; i++) at = (at << 1) | bit(chances, first + at);
    return at - (1 << bits);
  };
  const reverse = (chances, first, bits) => {
    let at = 1, value = 0;
    for (let i = 0; i < bits; i++) {
      const b = bit(chances, first + at);
      at = (at << 1) | b;
      value |= b << i;
    }
    return value;
  };
  const length = (of, place) => {
    if (!bit(of.choice, 0)) return 2 + tree(of.low, place * 8, 3);
    return bit(of.choice, 1) ? 18 + tree(of.high, 0, 8) : 10 + tree(of.mid, place * 8, 3);
  };
  const distance = (n) => {
    const slot = tree(slots[Math.min(n - 2, 3)], 0, 6);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1, base = (2 | (slot & 1)) << bits;
    if (slot < 14) return base + reverse(near, base - slot, bits);
    return base + (direct(bits - 4) << 4) + reverse(align, 0, 4);
  };
  const literal = (at, state) => {
    const first = 0x300 * (((at & literalPlaces) << literalBits) + ((at ? to[at - 1] : 0) >> (8 - literalBits)));
    let symbol = 1;
    if (state >= 7) {
      for (let known = to[at - last[0] - 1]; symbol < 0x100;) {
        const other = (known >> 7) & 1, b = bit(literals, first + ((1 + other) << 8) + symbol);
        known <<= 1;
        symbol = (symbol << 1) | b;
        if (other !== b) break;
      }
    }
    while (symbol < 0x100) symbol = (symbol << 1) | bit(literals, first + symbol);
    return symbol & 0xff;
  };

  for (let at = 0, state = 0; at < to.length;) {
    const place = at & places, of = state * 16 + place;
    if (!bit(isMatch, of)) {
      to[at] = literal(at++, state);
      state = state < 4 ? 0 : state - (state < 10 ? 3 : 6);
      continue;
    }
    let n;
    const behind = state < 7;
    if (!bit(isRep[0], state)) {
      last.copyWithin(1, 0, 3);
      n = length(fresh, place);
      last[0] = distance(n);
      state = behind ? 7 : 10;
    } else {
      let which = 0;
      if (bit(isRep[1], state)) which = 1 + bit(isRep[2], state);
      if (which === 2) which += bit(isRep[3], state);
      const long = which > 0 || bit(isLong, of), chosen = last[which];
      last.copyWithin(1, 0, which);
      last[0] = chosen;
      n = long ? length(again, place) : 1;
      state = long ? (behind ? 8 : 11) : (behind ? 9 : 11);
    }
    if (last[0] >= at || n > to.length - at) throw new Error('LZMA');
    for (const back = last[0] + 1; n > 0; n--, at++) to[at] = to[at - back];
  }
  return to;
}
