# docs/container.md tells how to run it. Each base is pinned by tag; give NAME@sha256:… to pin it by digest.
ARG BUILD_BASE=docker.io/oven/bun:1.4.5-slim
ARG RUNTIME_BASE=gcr.io/distroless/base-nossl-debian12:nonroot

# Runs on the machine that builds, whatever it builds for: Bun compiles for the other architecture by itself.
FROM --platform=$BUILDPLATFORM ${BUILD_BASE} AS build
WORKDIR /build
COPY package.json bun.lock ./
RUN bun install --frozen-lockfile --production
COPY . .
ARG TARGETARCH
ARG REVISION=
RUN set -eu; \
    printf '%s' "$REVISION" > REVISION; \
    case "$TARGETARCH" in \
      amd64) target=bun-linux-x64 ;; \
      arm64) target=bun-linux-arm64 ;; \
      *) echo "there is no build for the architecture \"$TARGETARCH\": amd64 and arm64 are possible" >&2; exit 1 ;; \
    esac; \
    bun scripts/build.ts out/shortcrust "$target"; \
    mkdir data

# Needs the C library and nothing else; has no shell, so nothing runs in this stage.
FROM ${RUNTIME_BASE}
ARG VERSION=1.0.0
ARG REVISION=
LABEL org.opencontainers.image.title="Shortcrust" \
      org.opencontainers.image.description="Pastes and short links from one executable, for a LAN" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION"
COPY --from=build /build/LICENSE /usr/share/doc/shortcrust/LICENSE
COPY --from=build --chown=10001:10001 /build/data /data
COPY --from=build /build/out/shortcrust /usr/local/bin/shortcrust
ENV SHORTCRUST_DATA=/data
WORKDIR /
USER 10001:10001
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s --retries=3 CMD ["/usr/local/bin/shortcrust", "healthcheck"]
ENTRYPOINT ["/usr/local/bin/shortcrust"]
