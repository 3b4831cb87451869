# syntax=docker/dockerfile:1
# What is built is the same for every platform, so it is made once, on the platform of the builder.
FROM --platform=$BUILDPLATFORM node:24-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json ./
COPY src ./src
RUN npm run build

# The compile cache is filled here, by the very Node and the very user that will read it, so that a tick starts warm on a
# read-only disk. What a plan compiles serves every verb; a tick has more.
FROM gcr.io/distroless/nodejs24-debian12:nonroot AS cache
WORKDIR /app
COPY --from=build /src/dist ./
COPY LICENSE ./
COPY examples/etcd-defrag /warm
COPY examples/cluster/base/config.yaml /warm/config/
ENV NODE_COMPILE_CACHE=/home/nonroot/cache
USER 65532:65532
RUN ["/nodejs/bin/node", "/app/minutehand.mjs", "plan", "-f", "/warm", "--config", "/warm/config/config.yaml"]
RUN ["/nodejs/bin/node", "/app/minutehand.mjs", "reconcile", "-f", "/warm", "--config", "/warm/config/config.yaml", "--state", "/home/nonroot/state"]

FROM gcr.io/distroless/nodejs24-debian12:nonroot
LABEL org.opencontainers.image.title="Minutehand"
LABEL org.opencontainers.image.description="Reconciles scheduled work on Kubernetes: one tick, then it exits"
LABEL org.opencontainers.image.version="0.1.0"
LABEL org.opencontainers.image.licenses="Apache-2.0"
LABEL org.opencontainers.image.base.name="gcr.io/distroless/nodejs24-debian12:nonroot"
WORKDIR /app
COPY --from=cache /app ./
COPY --from=cache --chown=65532:65532 /home/nonroot/cache /home/nonroot/cache
ENV NODE_COMPILE_CACHE=/home/nonroot/cache
USER 65532:65532
ENTRYPOINT ["/nodejs/bin/node", "/app/minutehand.mjs"]
# One tick on the cluster that the pod runs in, with the rights of its ServiceAccount.
CMD ["reconcile"]
