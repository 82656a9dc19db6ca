/**
 * AT_LENGTH is the number of cards up to which cards outside of the window have all parts: with more cards there would
 * be too many elements. It equals mostAtLength in web/wall/card.go.
 */
export const AT_LENGTH = 8;
