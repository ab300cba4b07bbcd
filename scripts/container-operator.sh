#!/bin/sh
# The operator's commands in a container: docker exec clutchcast operator failures
# While the container is stopped: docker run --rm --volumes-from clutchcast clutchcast operator move-to-postgres postgres://…
set -eu
exec /app/start node build/operator.js "$@"
