// Package liberationserifbold has an empty font instead of the one that it is named after.
package liberationserifbold

import "codeberg.org/go-fonts/liberation/empty"

// TTF is the font.
var TTF = empty.TTF
