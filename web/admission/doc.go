// Package admission decides which work may begin. Budget limits memory, Queue limits the long computations that run
// at once, and Clients limits the request rate of each client. Work without room is refused with the time until a
// retry makes sense.
package admission
