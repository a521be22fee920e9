# Inkstone with its embedded PostgreSQL, for amd64 and arm64. docs/run/docker.md explains it.

# Node 24 on Debian 13, an index of all platforms. `docker buildx imagetools inspect node:24-trixie-slim` names a newer one.
ARG NODE_IMAGE=node:24.21.0-trixie-slim@sha256:8ec5d7557396cfe32d21c3f9c13072355ceab22b584578ca4bb28af31120cffe

FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS build
WORKDIR /build
COPY . .
RUN npm ci && mkdir /packed && npm pack --pack-destination /packed

FROM ${NODE_IMAGE}
RUN --mount=type=bind,from=build,source=/packed,target=/packed \
    --mount=type=bind,source=packaging,target=/packaging \
    sh /packaging/install.sh /packed/inkstone-*.tgz
ENV HOST=0.0.0.0 DATA_DIR=/data HOME=/data
VOLUME /data
WORKDIR /data
USER 10001:10001
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=10s --start-period=60s CMD ["inkstone", "ready"]
ENTRYPOINT ["tini", "--", "inkstone"]
CMD ["serve"]
