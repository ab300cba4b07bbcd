#!/bin/sh
# What a container begins with: as root it gives /data, and BACKUP_DIR, to PUID and PGID (unless said otherwise whose /data is already, of a
# new one 1000) and goes on as them, as anybody else (`docker run --user`, Kubernetes) it goes on at once. Nothing of Clutchcast runs as root.
set -eu
# The command line works where it is called.
[ "${1:-}" = clutchcast ] || cd /app
[ "$(id -u)" = 0 ] || exec "$@"
data=${DATA_DIR:-/data}
mkdir -p "$data"
# A command beside a container with a --user or PUID of its own (docker run --volumes-from) must not take the data away from it.
owner=$(stat -c %u:%g "$data")
case "$owner" in 0:*) owner=1000:1000 ;; esac
user=${PUID:-${owner%:*}} group=${PGID:-${owner#*:}}
case "$user:$group" in
  *[!0-9:]* | :* | *: | 0:*) echo "PUID and PGID are numbers of a user and a group, and the user is not root: “$user:$group”." >&2; exit 78 ;;
esac
# Once: a folder that is theirs is left as it is, however much is in it.
if [ "$(stat -c %u:%g "$data")" != "$user:$group" ]; then
  chown -R "$user:$group" "$data" || { echo "$data cannot be given to $user:$group. Do it on the host, or run the container with --user." >&2; exit 77; }
fi
backups=${BACKUP_DIR:-}
if [ -n "$backups" ]; then
  mkdir -p "$backups" || { echo "BACKUP_DIR, $backups, cannot be made: mount a folder there (in compose.yaml it is BACKUP_DIR=/backups)." >&2; exit 77; }
  # The folder and the backups in it alone: it may be a disk with files of others on it. One that they may write to is left as it is.
  if ! setpriv --reuid="$user" --regid="$group" --clear-groups test -w "$backups"; then
    find "$backups" -maxdepth 1 '(' -path "$backups" -o -name 'clutchcast-*.backup' ')' -exec chown "$user:$group" '{}' + ||
      { echo "BACKUP_DIR, $backups, cannot be given to $user:$group. Do it on the host, or run the container with --user." >&2; exit 77; }
  fi
fi
exec setpriv --reuid="$user" --regid="$group" --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all "$@"
