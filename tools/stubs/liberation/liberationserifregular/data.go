// Package liberationserifregular has an empty font instead of the one that it is named after.
package liberationserifregular

import "codeberg.org/go-fonts/liberation/empty"

// TTF is the font.
var TTF = empty.TTF
