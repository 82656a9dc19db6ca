// Package liberationmonoregular has an empty font instead of the one that it is named after.
package liberationmonoregular

import "codeberg.org/go-fonts/liberation/empty"

// TTF is the font.
var TTF = empty.TTF
