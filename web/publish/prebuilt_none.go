//go:build !release

package publish

import "embed"

// prebuilt is empty: this build carries no programs.
var prebuilt embed.FS
