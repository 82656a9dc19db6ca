#!/bin/sh
# Draws the pictures of README and guide: pages of this checkout in a headless Chromium.
set -eu
cd "$(dirname "$0")/.."
browser=${VIZ_CHROMIUM:-}
for name in chromium chromium-browser google-chrome google-chrome-stable chrome chromium-headless-shell; do
	[ -n "$browser" ] || browser=$(command -v "$name") || true
done
mkdir -p .cache docs/pictures
${GO:-go} build -o .cache/viz ./cmd/viz
port=8977
.cache/viz serve --addr 127.0.0.1:$port >/dev/null &
server=$!
trap 'kill $server' EXIT
until curl -sf "http://127.0.0.1:$port/healthz" >/dev/null; do
	kill -0 $server
	sleep 0.2
done
draw() {
	"$browser" --headless --no-sandbox --hide-scrollbars --font-render-hinting=none --virtual-time-budget=10000 --window-size="$3" \
		--screenshot="$PWD/$1" "http://127.0.0.1:$port/$2" 2>/dev/null
	echo "$1"
}
draw static/screenshot.png "" 1440,900
draw docs/pictures/tour.png "$(curl -s "http://127.0.0.1:$port/" | grep -o 'href="[^"]*walk=1[^"]*"' | head -n 1 |
	sed 's/^href="\.*\/*//; s/"$//; s/&amp;/\&/g')" 1440,900
draw docs/pictures/gallery.png gallery 1440,900
