//go:build !js

package admission

import (
	"context"
	"net/netip"
	"time"

	"github.com/maypok86/otter/v2"
	"golang.org/x/time/rate"
)

// Clients bounds how often one client may ask: so many requests in a second, and at once as many as
// the burst. It is safe for concurrent use.
type Clients struct {
	known *otter.Cache[netip.Prefix, *rate.Limiter]
	fresh otter.LoaderFunc[netip.Prefix, *rate.Limiter]
}

// mostClients bounds the memory for them: who has not asked for the longest is forgotten, and
// everybody after a while.
const (
	mostClients = 1 << 16
	forgotten   = 10 * time.Minute
)

// NewClients allows each client so many requests.
func NewClients(inASecond float64, burst int) (*Clients, error) {
	known, err := otter.New(&otter.Options[netip.Prefix, *rate.Limiter]{
		MaximumSize:      mostClients,
		ExpiryCalculator: otter.ExpiryAccessing[netip.Prefix, *rate.Limiter](forgotten),
	})
	if err != nil {
		return nil, err
	}
	fresh := func(context.Context, netip.Prefix) (*rate.Limiter, error) {
		return rate.NewLimiter(rate.Limit(inASecond), burst), nil
	}
	return &Clients{known, fresh}, nil
}

// Allow counts a request of a client; otherwise it says how long the client has to wait. All
// addresses of one /64 are one client, as one household has them.
func (c *Clients) Allow(client netip.Addr) (wait time.Duration) {
	bits := 32
	if client = client.Unmap(); client.Is6() {
		bits = 64
	}
	prefix, err := client.WithZone("").Prefix(bits)
	if err != nil { // of no address: all of them are one client
		prefix = netip.Prefix{}
	}
	limiter, err := c.known.Get(context.Background(), prefix, c.fresh)
	if err != nil {
		return 0 // fresh has no error
	}
	now := time.Now()
	r := limiter.ReserveN(now, 1)
	if wait = r.DelayFrom(now); wait > 0 {
		r.CancelAt(now)
	}
	return wait
}
