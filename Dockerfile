# One container: pages, API, embedded database, queue and renderer. Data lives in /data.
FROM node:24-bookworm-slim AS ffmpeg
COPY scripts/build-ffmpeg.sh /
RUN /build-ffmpeg.sh /ffmpeg

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# `npm ci` refuses a lock file that lacks another platform's binaries; `npm install` adds them.
RUN npm ci --omit=dev || npm install --omit=dev
COPY . .
# Ends the build with a sentence on a processor that the demo parser has no program for.
RUN node scripts/check-parser.mjs
# What is left is what runs: building needs more, and ffmpeg is the one above.
COPY --from=ffmpeg /ffmpeg/VERSION.ffmpeg /ffmpeg/VERSION.x264 /ffmpeg/
RUN node scripts/build.mjs && node scripts/sbom.mjs --ffmpeg /ffmpeg > sbom.cdx.json \
  && npm pkg delete devDependencies optionalDependencies && npm prune

FROM node:24-bookworm-slim
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Clutchcast" \
  org.opencontainers.image.description="CS2 highlight generator: from a demo to a shared clip, on a plain machine" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="$VERSION" \
  org.opencontainers.image.revision="$REVISION"
RUN apt-get update \
  && apt-get install -y --no-install-recommends tini \
  && rm -rf /var/lib/apt/lists/* \
  && mkdir /data && chown node:node /data
WORKDIR /app
COPY --from=ffmpeg /ffmpeg/ffmpeg /usr/local/bin/
COPY --from=ffmpeg /ffmpeg/COPYING.ffmpeg /ffmpeg/VERSION.ffmpeg ./
COPY --from=build --chown=root:root /app/package.json ./
COPY --from=build --chown=root:root /app/node_modules ./node_modules
COPY --from=build --chown=root:root /app/LICENSE /app/NOTICE /app/sbom.cdx.json ./
COPY --from=build --chown=root:root --chmod=755 /app/scripts/container-start.sh ./start
COPY --from=build --chown=root:root --chmod=755 /app/scripts/container-operator.sh /usr/local/bin/operator
COPY --from=build --chown=root:root --chmod=755 /app/scripts/container-clutchcast.sh /usr/local/bin/clutchcast
COPY --from=build --chown=root:root /app/build ./build
ENV NODE_ENV=production DATA_DIR=/data PORT=3000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
# tini reaps the parse and render processes should the server die first; `start` leaves root behind.
ENTRYPOINT ["tini", "--", "/app/start"]
CMD ["node", "build/server.js"]
