/**
 * AT_LENGTH is the most cards for which cards outside the window have all parts. With more cards there
 * would be too many elements. It equals mostAtLength in web/wall/card.go.
 */
export const AT_LENGTH = 8;
