package lzma

// step describes how the stream encodes the next bytes.
type step struct {
	length   int32
	kind     int8   // literal, fresh, or the index of one of the last distances
	distance uint32 // for fresh steps, from 0
}

const (
	literal int8 = -1
	fresh   int8 = 4 // a distance that is not one of the last four
)

// past summarises the previous steps.
type past struct {
	state uint8
	last  [4]uint32 // distances, from 0, the most recent first
}

// after returns the past after a step.
func (p past) after(s step) past {
	switch {
	case s.kind == literal && p.state < 4:
		p.state = 0
	case s.kind == literal && p.state < 10:
		p.state -= 3
	case s.kind == literal:
		p.state -= 6
	case s.kind == fresh:
		p.state = pick(p.state, 7, 10)
		p.last = [4]uint32{s.distance, p.last[0], p.last[1], p.last[2]}
	default:
		if s.length == 1 {
			p.state = pick(p.state, 9, 11)
		} else {
			p.state = pick(p.state, 8, 11)
		}
		chosen := p.last[s.kind]
		copy(p.last[1:], p.last[:s.kind])
		p.last[0] = chosen
	}
	return p
}

// pick returns the state after a match: behindLiteral if it follows a literal, else behindMatch.
func pick(state, behindLiteral, behindMatch uint8) uint8 {
	if state < 7 {
		return behindLiteral
	}
	return behindMatch
}

// put encodes a step at a place of data.
func (m *models) put(to sink, data []byte, at int, p past, s step) {
	place := at & (places - 1)
	if s.kind == literal {
		to.bit(&m.isMatch[p.state][place], 0)
		m.literalAt(to, data, at, p)
		return
	}
	to.bit(&m.isMatch[p.state][place], 1)
	if s.kind == fresh {
		to.bit(&m.isRep[0][p.state], 0)
		m.length[0].put(to, place, int(s.length))
		m.distance(to, lengthClass(int(s.length)), s.distance)
		return
	}
	m.again(to, p.state, int(s.kind))
	if s.kind == 0 {
		m.long(to, place, p.state, s.length)
	}
	if s.length > 1 {
		m.length[1].put(to, place, int(s.length))
	}
}

// long encodes whether the last distance is used for more than one byte.
func (m *models) long(to sink, place int, state uint8, length int32) {
	to.bit(&m.isLong[state][place], uint32(min(max(length-1, 0), 1)))
}

func (m *models) literalAt(to sink, data []byte, at int, p past) {
	before := byte(0)
	if at > 0 {
		before = data[at-1]
	}
	if p.state < 7 {
		m.plain(to, before, data[at])
	} else {
		m.matched(to, before, data[at-1-int(p.last[0])], data[at])
	}
}
