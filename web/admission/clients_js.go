package admission

import (
	"net/netip"
	"time"
)

// Clients limits nothing, because the program in a browser has one client.
type Clients struct{}

// NewClients returns nil.
func NewClients(float64, int) (*Clients, error) { return nil, nil }

// Allow returns 0.
func (*Clients) Allow(netip.Addr) time.Duration { return 0 }
