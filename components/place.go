package components

import (
	"context"
	"strings"

	"attnatlas/static"

	"github.com/a-h/templ"
)

type placeKey struct{}

// Standing says at which path what is rendered will stand, as the client wrote it. Addresses in it are then
// relative to that path, so that pages work under any prefix that a proxy gives them.
func Standing(ctx context.Context, escapedPath string) context.Context {
	up := "./"
	if depth := strings.Count(escapedPath, "/") - 1; depth > 0 {
		up = strings.Repeat("../", depth)
	}
	return context.WithValue(ctx, placeKey{}, up)
}

// From is a rooted address as it is to be written where something stands; without a place, and of an address
// that is not rooted, as it was.
func From(ctx context.Context, address string) string {
	up, ok := ctx.Value(placeKey{}).(string)
	rest, rooted := strings.CutPrefix(address, "/")
	if !ok || !rooted || strings.HasPrefix(rest, "/") {
		return address
	}
	return up + rest
}

type buildKey struct{}

// Build names, for what is rendered, the program and its weights.
func Build(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, buildKey{}, name)
}

// BuildParam is the parameter of addresses that has the name.
const BuildParam = "v"

// Kept is From for pictures and numbers that a page loads: the address has the name of the program and its weights, so
// that caches may keep for ever what it leads to. Links do not have it: people copy them.
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

// Href is the address of a link in a page.
func Href(ctx context.Context, address string) templ.SafeURL { return templ.URL(From(ctx, address)) }

// asset is the address of a file that the browser loads beside a page.
func asset(ctx context.Context, name string) string { return From(ctx, static.URL(name)) }
