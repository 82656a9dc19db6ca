// Package admission decides which work may begin: how much is in memory at a time (Budget), how
// much is computed one after the other (Queue), and how often one client may ask (Clients). What
// has no place is refused at once, with the time after which it is worth asking again.
package admission
