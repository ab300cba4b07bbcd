#!/bin/sh
# Entry point of the container. As root it gives /data and BACKUP_DIR to PUID and PGID (by default the owner of /data, 1000 for a new one)
# and continues as that user; as any other user (`docker run --user`, Kubernetes) it just continues. Nothing of Clutchcast runs as root.
set -eu
# The command line works in the directory where it is called.
[ "${1:-}" = clutchcast ] || cd /app
[ "$(id -u)" = 0 ] || exec "$@"
data=${DATA_DIR:-/data}
mkdir -p "$data"
# A command for another container's data (docker run --volumes-from) must not take the data away from that container's --user or PUID.
owner=$(stat -c %u:%g "$data")
case "$owner" in 0:*) owner=1000:1000 ;; esac
user=${PUID:-${owner%:*}} group=${PGID:-${owner#*:}}
case "$user:$group" in
  *[!0-9:]* | :* | *: | 0:*) echo "PUID and PGID are numbers of a user and a group, and the user is not root: “$user:$group”." >&2; exit 78 ;;
esac
# Only once: a folder that belongs to them is left as it is, whatever its content.
if [ "$(stat -c %u:%g "$data")" != "$user:$group" ]; then
  chown -R "$user:$group" "$data" || { echo "$data cannot be given to $user:$group. Do it on the host, or run the container with --user." >&2; exit 77; }
fi
backups=${BACKUP_DIR:-}
if [ -n "$backups" ]; then
  mkdir -p "$backups" || { echo "BACKUP_DIR, $backups, cannot be made: mount a folder there (in compose.yaml it is BACKUP_DIR=/backups)." >&2; exit 77; }
  # Only the folder and its backups, since the disk may have other files. A folder that they can write to is left as it is.
  if ! setpriv --reuid="$user" --regid="$group" --clear-groups test -w "$backups"; then
    find "$backups" -maxdepth 1 '(' -path "$backups" -o -name 'clutchcast-*.backup' ')' -exec chown "$user:$group" '{}' + ||
      { echo "BACKUP_DIR, $backups, cannot be given to $user:$group. Do it on the host, or run the container with --user." >&2; exit 77; }
  fi
fi
exec setpriv --reuid="$user" --regid="$group" --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all "$@"
