// Package docs holds the documents of this folder, which the program serves at /docs.
package docs

import "embed"

// Files are the documents in Markdown.
//
//go:embed *.md
var Files embed.FS
