#!/bin/sh
# Builds Debian's ffmpeg, with its security fixes, reduced to what clips need. For the image, in which Debian's own package would add
# 470 MB of devices, players and codecs that are not used here, and the faults of any of them.
# scripts/build-ffmpeg.sh DIRECTORY: run as root on Debian; creates DIRECTORY/ffmpeg, which needs only libc.
# Features that backend/video uses but are not listed here fail only in the image: tests/image checks that (docs/decisions/160).
set -eu
into=$1
export DEBIAN_FRONTEND=noninteractive
sed 's/^Types: deb$/Types: deb-src/' /etc/apt/sources.list.d/debian.sources > /etc/apt/sources.list.d/debian-sources.sources
apt-get update -qq
apt-get install -y -qq --no-install-recommends dpkg-dev gcc libc6-dev make nasm pkg-config libx264-dev
# Without the shared library the linker takes the static one.
rm -f /usr/lib/*/libx264.so
work=$(mktemp -d)
cd "$work"
apt-get source -qq ffmpeg
cd ffmpeg-*/
./configure \
  --disable-everything --disable-autodetect --disable-doc --disable-debug --disable-network \
  --disable-ffplay --disable-ffprobe --disable-avdevice --disable-postproc \
  --enable-gpl --enable-libx264 --pkg-config-flags=--static \
  --enable-protocol=file,pipe \
  --enable-demuxer=rawvideo,wav,mov,aac,concat,image2 \
  --enable-muxer=mp4,adts,null,image2,rawvideo,wav \
  --enable-decoder=rawvideo,pcm_s16le,pcm_f32le,h264,aac,mjpeg \
  --enable-encoder=rawvideo,pcm_s16le,pcm_f32le,wrapped_avframe,libx264,aac,mjpeg \
  --enable-parser=h264,aac,mjpeg \
  --enable-bsf=aac_adtstoasc,h264_mp4toannexb,extract_extradata,null \
  --enable-filter=scale,crop,pad,format,fps,select,trim,setpts,null,copy,aresample,aformat,anull
make -j"$(nproc)" ffmpeg
install -D -m 755 ffmpeg "$into/ffmpeg"
# The licence of this build, and where its source comes from.
install -m 644 COPYING.GPLv2 "$into/COPYING.ffmpeg"
dpkg-parsechangelog --show-field Version > "$into/VERSION.ffmpeg"
# It is linked into the program.
dpkg-query --show --showformat='${source:Version}\n' libx264-dev > "$into/VERSION.x264"
cd /
rm -rf "$work"
