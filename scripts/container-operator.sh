#!/bin/sh
# The operator's commands in a container: docker exec clutchcast operator failures
set -eu
exec /app/start node build/operator.js "$@"
