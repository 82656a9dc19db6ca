//go:build !js

package admission

import (
	"context"
	"net/netip"
	"time"

	"github.com/maypok86/otter/v2"
	"golang.org/x/time/rate"
)

// Clients limits the request rate of each client, and the number of requests that it may make at once (the burst). It
// is safe for concurrent use.
type Clients struct {
	known *otter.Cache[netip.Prefix, *rate.Limiter]
	fresh otter.LoaderFunc[netip.Prefix, *rate.Limiter]
}

// mostClients limits how many clients are remembered. The least recently seen client is evicted first, and every
// client after ten idle minutes.
const (
	mostClients = 1 << 16
	forgotten   = 10 * time.Minute
)

// NewClients returns limits of inASecond requests per second and a burst, for each client.
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

// Allow counts a request of a client, or returns how long the client has to wait. All addresses of an IPv6 /64 count
// as one client, because one household has them all.
func (c *Clients) Allow(client netip.Addr) (wait time.Duration) {
	bits := 32
	if client = client.Unmap(); client.Is6() {
		bits = 64
	}
	prefix, err := client.WithZone("").Prefix(bits)
	if err != nil { // an invalid address: all of these are one client
		prefix = netip.Prefix{}
	}
	limiter, err := c.known.Get(context.Background(), prefix, c.fresh)
	if err != nil {
		return 0 // fresh never fails
	}
	now := time.Now()
	r := limiter.ReserveN(now, 1)
	if wait = r.DelayFrom(now); wait > 0 {
		r.CancelAt(now)
	}
	return wait
}
