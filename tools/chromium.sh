#!/bin/sh
# Finds a Chromium for the browser tests, or installs one where it can, or says how to get one. Chromium's shell without
# windows needs the least processor time; CI installs it also where another browser is.
set -u
[ -n "${VIZ_CHROMIUM:-}" ] && [ -x "$VIZ_CHROMIUM" ] && exit 0
found() {
	for name in "$@"; do
		command -v "$name" >/dev/null 2>&1 && return 0
	done
	return 1
}
install() {
	command -v apt-get >/dev/null 2>&1 || return 1
	sudo=
	[ "$(id -u)" = 0 ] || sudo="sudo -n"
	echo "Installing $1 for the browser tests"
	$sudo apt-get update -qq && $sudo apt-get install -y -qq --no-install-recommends "$1"
}
found chromium-headless-shell chrome-headless-shell headless_shell headless-shell && exit 0
[ -n "${CI:-}" ] && install chromium-headless-shell && exit 0
found chromium chromium-browser google-chrome google-chrome-stable chrome msedge && exit 0
for app in "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" "/Applications/Chromium.app/Contents/MacOS/Chromium" \
	"/c/Program Files/Google/Chrome/Application/chrome.exe" "/c/Program Files (x86)/Microsoft/Edge/Application/msedge.exe"; do
	[ -x "$app" ] && exit 0
done
install chromium-headless-shell || install chromium && exit 0
cat >&2 <<'EOT'
The browser tests need Chromium or Chrome, and none was found. Get one:
  Debian           sudo apt-get install chromium-headless-shell
  Ubuntu           sudo apt-get install chromium
  Fedora           sudo dnf install chromium
  macOS            brew install --cask google-chrome
  Windows          winget install Google.Chrome
or set VIZ_CHROMIUM to the program's path. To run everything else: go test -short ./...
EOT
exit 1
