#!/bin/sh
# Finds a Chromium for the browser tests, or installs one where it can, or says
# how to get one.
set -u
for name in chromium chromium-browser google-chrome google-chrome-stable chrome msedge; do
	command -v "$name" >/dev/null 2>&1 && exit 0
done
[ -n "${VIZ_CHROMIUM:-}" ] && [ -x "$VIZ_CHROMIUM" ] && exit 0
for app in "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" "/Applications/Chromium.app/Contents/MacOS/Chromium" \
	"/c/Program Files/Google/Chrome/Application/chrome.exe" "/c/Program Files (x86)/Microsoft/Edge/Application/msedge.exe"; do
	[ -x "$app" ] && exit 0
done
if command -v apt-get >/dev/null 2>&1; then
	sudo=
	[ "$(id -u)" = 0 ] || sudo="sudo -n"
	echo "Installing Chromium for the browser tests"
	if $sudo apt-get update -qq && $sudo apt-get install -y -qq --no-install-recommends chromium; then
		exit 0
	fi
fi
cat >&2 <<'EOT'
The browser tests need Chromium or Chrome, and none was found. Get one:
  Debian, Ubuntu   sudo apt-get install chromium
  Fedora           sudo dnf install chromium
  macOS            brew install --cask google-chrome
  Windows          winget install Google.Chrome
or set VIZ_CHROMIUM to the program's path. To run everything else: go test -short ./...
EOT
exit 1
