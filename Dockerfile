# One container: pages, API, embedded database, queue and renderer. Data lives in /data.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# `npm ci` refuses a lock file that lacks another platform's binaries; `npm install` adds them.
RUN npm ci --omit=dev || npm install --omit=dev
COPY . .
# What is left is what runs: building needs more, and ffmpeg comes with the system below.
RUN node scripts/build.mjs && npm pkg delete devDependencies optionalDependencies && npm prune

FROM node:24-bookworm-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends ffmpeg tini \
  && rm -rf /var/lib/apt/lists/* \
  && mkdir /data && chown node:node /data
WORKDIR /app
COPY --from=build --chown=root:root /app/package.json ./
COPY --from=build --chown=root:root /app/node_modules ./node_modules
COPY --from=build --chown=root:root /app/build ./build
COPY --from=build --chown=root:root /app/LICENSE /app/NOTICE ./
ENV NODE_ENV=production DATA_DIR=/data PORT=3000
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
# tini reaps the parse and render processes should the server die first.
ENTRYPOINT ["tini", "--"]
CMD ["node", "build/server.js"]
