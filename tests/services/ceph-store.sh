#!/bin/sh
# A Ceph cluster of one monitor, one object store daemon with its objects in memory, and radosgw as its S3 server, from Debian's packages
# ceph-mon, ceph-osd, ceph-common and radosgw. All of it ends when this script's input ends.
#   ceph-store.sh FOLDER PORT MONITOR_PORT KEY SECRET
# CEPH_ROOT: where the packages were unpacked (`dpkg-deb -x`), when they are not installed. Says "ready" when S3 answers.
folder=$1 port=$2 monitor=$3 key=$4 secret=$5
root=${CEPH_ROOT:-}
triple=$(uname -m)-linux-gnu
if [ -n "$root" ]; then
  export LD_LIBRARY_PATH="$root/usr/lib/$triple:$root/lib/$triple:$root/usr/lib/ceph:$root/usr/lib/$triple/ceph"
  export PATH="$root/usr/bin:$PATH" PYTHONPATH="$root/usr/lib/python3/dist-packages"
fi
mkdir -p "$folder/mon" "$folder/osd" "$folder/run"
export CEPH_CONF="$folder/ceph.conf"
cat > "$CEPH_CONF" <<END
[global]
fsid = $(cat /proc/sys/kernel/random/uuid)
mon_host = [v2:127.0.0.1:$monitor]
public_network = 127.0.0.0/8
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_crush_chooseleaf_type = 0
osd_objectstore = memstore
memstore_device_bytes = 4294967296
osd_pool_default_pg_num = 4
osd_pool_default_pgp_num = 4
osd_pool_default_pg_autoscale_mode = off
mon_max_pg_per_osd = 1000
mon_data_avail_crit = 1
run_dir = $folder/run
log_file = $folder/\$name.log
admin_socket = $folder/run/\$name.asok
pid_file = $folder/run/\$name.pid
keyring = $folder/keyring
erasure_code_dir = $root/usr/lib/$triple/ceph/erasure-code
plugin_dir = $root/usr/lib/$triple/ceph
osd_class_dir = $root/usr/lib/$triple/rados-classes
rgw_frontends = beast endpoint=127.0.0.1:$port
rgw_data = $folder/rgw
[mon.a]
mon_data = $folder/mon
[osd.0]
osd_data = $folder/osd
END
started=
end() {
  kill $started 2>/dev/null
  wait
  rm -rf "$folder"
}
(
  set -e
  ceph-authtool --create-keyring "$folder/keyring" --gen-key -n mon. --cap mon 'allow *'
  ceph-authtool "$folder/keyring" --gen-key -n client.admin --cap mon 'allow *' --cap osd 'allow *' --cap mgr 'allow *'
  ceph-authtool "$folder/keyring" --gen-key -n osd.0 --cap mon 'allow profile osd' --cap osd 'allow *'
  monmaptool --create --fsid "$(sed -n 's/^fsid = //p' "$CEPH_CONF")" --addv a "[v2:127.0.0.1:$monitor]" "$folder/monmap"
  ceph-mon --mkfs -i a --monmap "$folder/monmap" --keyring "$folder/keyring"
) > "$folder/made" 2>&1 || { cat "$folder/made" >&2; rm -rf "$folder"; exit 1; }
ceph-mon -f -i a > "$folder/mon.out" 2>&1 &
started="$started $!"
osd=$(cat /proc/sys/kernel/random/uuid)
{
  python3 "$(command -v ceph)" osd new "$osd" 0
  python3 "$(command -v ceph)" osd crush add osd.0 1.0 root=default host=here
  ceph-osd --mkfs -i 0 --osd-uuid "$osd"
} > "$folder/made" 2>&1
ceph-osd -f -i 0 > "$folder/osd.out" 2>&1 &
started="$started $!"
if ! timeout 60 radosgw-admin user create --uid=tests --display-name=tests --max-buckets=0 \
  --access-key="$key" --secret-key="$secret" > "$folder/user" 2>&1; then
  cat "$folder/made" "$folder/user" >&2
  end
  exit 1
fi
radosgw -f -n client.admin > "$folder/radosgw.out" 2>&1 &
started="$started $!"
echo ready
# As the tests ask: "halt" stops the S3 server alone, "resume" starts it again.
while read -r word; do
  case $word in
    halt)
      gateway=${started##* }
      kill -KILL "$gateway" 2>/dev/null
      wait "$gateway" 2>/dev/null
      started=${started% *}
      echo halted
      ;;
    resume)
      radosgw -f -n client.admin >> "$folder/radosgw.out" 2>&1 &
      started="$started $!"
      echo resumed
      ;;
  esac
done
end
