/** AT_LENGTH is of how many cards those out of sight say everything, too: of more there would be too many elements. As mostAtLength in web/card.go. */
export const AT_LENGTH = 8;
