# syntax=docker/dockerfile:1
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json ./
COPY src ./src
RUN npm run build

# The compile cache is filled here, by the very Node that will read it, so that a tick starts warm on a read-only disk.
FROM gcr.io/distroless/nodejs24-debian12 AS cache
WORKDIR /app
COPY --from=build /src/dist/minutehand.mjs ./
COPY examples/etcd-defrag /warm
ENV NODE_COMPILE_CACHE=/app/cache
RUN ["/nodejs/bin/node", "/app/minutehand.mjs", "plan", "-f", "/warm"]

FROM gcr.io/distroless/nodejs24-debian12:nonroot
WORKDIR /app
COPY --from=cache /app ./
ENV NODE_COMPILE_CACHE=/app/cache
USER 65532:65532
ENTRYPOINT ["/nodejs/bin/node", "/app/minutehand.mjs"]
CMD ["reconcile", "-f", "/manifests", "-R", "--state", "/state"]
