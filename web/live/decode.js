// Decodes the text that encode.go has written.

'use strict';

/** FORBIDDEN are the codes of the forbidden characters in encode.go, in the same order. */
const FORBIDDEN = [0, 8, 9, 10, 11, 12, 13, 26, 27, 60, 127];

/**
 * decoded returns the bytes of a text. A character has seven bits, or the index of a forbidden character and seven
 * bits. It returns null if the text was changed after it was written.
 * @param {string} text
 * @param {number} size of the bytes
 * @param {number} sum their CRC-32
 * @returns {Uint8Array|null}
 */
function decoded(text, size, sum) {
  const bytes = new Uint8Array(size);
  let at = 0, held = 0, bits = 0;
  const put = (seven) => {
    held = (held << 7) | seven;
    bits += 7;
    if (bits < 8) return;
    bits -= 8;
    if (at < bytes.length) bytes[at++] = held >> bits;
    held &= (1 << bits) - 1;
  };
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c > 127) put(FORBIDDEN[(c >> 7) - 1]);
    put(c & 127);
  }
  return sumOf(bytes) === sum ? bytes : null;
}

/** sumOf returns the checksum CRC-32 of bytes. */
function sumOf(bytes) {
  const table = Uint32Array.from({ length: 256 }, (_, n) => {
    for (let i = 0; i < 8; i++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
    return n;
  });
  let sum = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) sum = table[(sum ^ bytes[i]) & 255] ^ (sum >>> 8);
  return ~sum >>> 0;
}
