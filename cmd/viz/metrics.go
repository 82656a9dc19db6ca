package main

import (
	"errors"
	"net"
	"net/http"
	"net/http/pprof"
	"time"

	"attnatlas/web/site"
)

// serveMetrics answers /metrics, and the profiler under /debug/pprof/, on a loopback address, because they are only
// for the operator of the server.
func serveMetrics(addr string, s *site.Server) (*http.Server, error) {
	l, err := listen(addr)
	if err != nil {
		return nil, err
	}
	if at, ok := l.Addr().(*net.TCPAddr); !ok || !at.IP.IsLoopback() {
		return nil, errors.Join(wrong("metrics", "address", addr), l.Close())
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4")
		s.Metrics(w)
	})
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	local := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch from := r.Header.Get("Sec-Fetch-Site"); {
		case !(site.Access{}).Serves(r.Host):
			http.Error(w, http.StatusText(http.StatusMisdirectedRequest), http.StatusMisdirectedRequest)
		case from != "" && from != "none" && from != "same-origin": // pages of other sites must not use the profiler
			http.Error(w, http.StatusText(http.StatusForbidden), http.StatusForbidden)
		default:
			mux.ServeHTTP(w, r)
		}
	})
	server := &http.Server{Addr: l.Addr().String(), Handler: local, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(l) }() // until it is closed
	return server, nil
}
