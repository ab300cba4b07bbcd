#!/bin/sh
# The command line in a container: docker run --rm -v "$PWD:/demos" -w /demos clutchcast clutchcast clip match.dem
exec node /app/build/clutchcast.js "$@"
