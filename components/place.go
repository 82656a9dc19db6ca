package components

import (
	"context"
	"strings"

	"attnatlas/static"

	"github.com/a-h/templ"
)

type placeKey struct{}

// Standing sets the path of the rendered page, as the client wrote it. URLs in the page are then
// relative to this path, so that pages work under any prefix of a proxy.
func Standing(ctx context.Context, escapedPath string) context.Context {
	up := "./"
	if depth := strings.Count(escapedPath, "/") - 1; depth > 0 {
		up = strings.Repeat("../", depth)
	}
	return context.WithValue(ctx, placeKey{}, up)
}

// From returns a rooted URL relative to the page's path. Without a path, and for a URL that is not
// rooted, it returns the URL unchanged.
func From(ctx context.Context, address string) string {
	up, ok := ctx.Value(placeKey{}).(string)
	rest, rooted := strings.CutPrefix(address, "/")
	if !ok || !rooted || strings.HasPrefix(rest, "/") {
		return address
	}
	return up + rest
}

type buildKey struct{}

// Build sets the name of the program's build and its weights for a rendered page.
func Build(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, buildKey{}, name)
}

// BuildParam is the URL parameter for this name.
const BuildParam = "v"

// Kept returns the URL of a picture or numbers that a page loads. It is like From, with the name of
// the build, so that caches can keep the response forever. Links do not have the name, because
// people copy them.
func Kept(ctx context.Context, address string) string {
	name, _ := ctx.Value(buildKey{}).(string)
	if name == "" || address == "" {
		return From(ctx, address)
	}
	between := "?"
	if strings.Contains(address, "?") {
		between = "&"
	}
	return From(ctx, address) + between + BuildParam + "=" + name
}

// Href returns the URL of a link in a page.
func Href(ctx context.Context, address string) templ.SafeURL { return templ.URL(From(ctx, address)) }

// asset returns the URL of a file that a page loads.
func asset(ctx context.Context, name string) string { return From(ctx, static.URL(name)) }
