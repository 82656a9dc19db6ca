package publish

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// figureRoot is the folder of the figures; sw.js has the same name.
const figureRoot = "figures/"

// takeRoot is the path of the export pages.
const takeRoot = "/take/"

// figureKinds are the formats of the figures: a picture for pages elsewhere, and numbers for <attention-map>.
var figureKinds = []string{"png", "json"}

// figures returns the files of the figures of all views, and their names by the addresses that they have on a
// server.
func (o Options) figures(ctx context.Context) (files map[string][]byte, names map[string]string, err error) {
	files, names = map[string][]byte{}, map[string]string{}
	takes, err := o.takes(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(takes)) {
		addresses, err := o.exports(ctx, takes[name])
		if err != nil {
			return nil, nil, err
		}
		for kind, at := range addresses {
			if names[at.String()] != "" {
				continue // another view has the same figure
			}
			data, err := o.get(ctx, at.Path, at.RawQuery)
			if errors.As(err, &unanswered{}) {
				continue // a page of several cards has no numbers, and own models may lack some
			}
			if err != nil {
				return nil, nil, err
			}
			file := figureRoot + name + "." + kind
			files[file], names[at.String()] = data, file
		}
	}
	return files, names, nil
}

// takes returns the export pages by the names of the figures: those in the list of pages, and those that the views
// link to.
func (o Options) takes(ctx context.Context) (map[string]*url.URL, error) {
	all := map[string]*url.URL{}
	for _, page := range o.Pages {
		if id, ok := strings.CutPrefix(page, takeRoot); ok {
			all[id] = &url.URL{Path: page}
		}
	}
	views, err := o.views(ctx)
	if err != nil {
		return nil, err
	}
	for view, query := range views {
		body, err := o.get(ctx, "/", query)
		if errors.As(err, &unanswered{}) {
			continue // own models may lack some
		}
		if err != nil {
			return nil, err
		}
		links, err := takeLinks(body)
		if err != nil {
			return nil, err
		}
		for id, link := range links {
			all[view+"-"+id] = link
		}
	}
	return all, nil
}

// views returns the queries of the first view and of the examples, by name.
func (o Options) views(ctx context.Context) (map[string]string, error) {
	all := map[string]string{"first": o.Query}
	body, err := o.get(ctx, "/gallery.json", "")
	if errors.As(err, &unanswered{}) {
		return all, nil
	}
	if err != nil {
		return nil, err
	}
	var gallery struct {
		Examples []struct{ ID, URL string }
	}
	if err := json.Unmarshal(body, &gallery); err != nil {
		return nil, err
	}
	for _, e := range gallery.Examples {
		_, all[e.ID], _ = strings.Cut(e.URL, "?")
	}
	return all, nil
}

// takeLinks returns the links of a page to export pages, by the names of their mechanisms. The first link of each
// mechanism counts.
func takeLinks(page []byte) (map[string]*url.URL, error) {
	document, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		return nil, err
	}
	all := map[string]*url.URL{}
	for n := range document.Descendants() {
		link, err := url.Parse(attribute(n, "href"))
		if n.Data != "a" || err != nil {
			continue
		}
		link.Path = path.Join("/", link.Path)
		if id, ok := strings.CutPrefix(link.Path, takeRoot); ok && all[id] == nil {
			all[id] = link
		}
	}
	return all, nil
}

// exports returns the addresses of a figure on a server, by format.
func (o Options) exports(ctx context.Context, take *url.URL) (map[string]*url.URL, error) {
	body, err := o.get(ctx, take.Path+".json", take.RawQuery)
	if errors.As(err, &unanswered{}) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var said struct{ URL string }
	if err := json.Unmarshal(body, &said); err != nil {
		return nil, err
	}
	picture, err := url.Parse(said.URL)
	if err != nil {
		return nil, err
	}
	all := map[string]*url.URL{}
	for _, kind := range figureKinds {
		all[kind] = &url.URL{Path: strings.TrimSuffix(picture.Path, "png") + kind, RawQuery: picture.RawQuery}
	}
	return all, nil
}
