FROM node:24-bookworm-slim AS web
WORKDIR /src/web
COPY web/package.json web/package-lock.json web/.npmrc ./
RUN npm install
COPY web ./
# The types of the API are written from what a test holds against it.
COPY crates/server/tests/it/snapshots/it__openapi__openapi.snap ../crates/server/tests/it/snapshots/
RUN npm run api && npm run build

# Keep this version in step with rust-toolchain.toml.
FROM rust:1.95-slim-bookworm AS builder
WORKDIR /src
COPY . .
COPY --from=web /src/web/dist web/dist
# The caches are not part of the image, so the binary is copied out of them.
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/src/target \
    cargo build --release --locked -p quipu-server --bin quipu \
    && cp target/release/quipu /usr/local/bin/quipu

FROM debian:bookworm-slim
# Certificates let the server verify the HTTPS services that it calls; the rest reads scans.
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        ca-certificates poppler-utils tesseract-ocr tesseract-ocr-spa \
    && rm -rf /var/lib/apt/lists/*
# A fixed id lets an operator prepare the ownership of a mounted directory.
# A new volume takes over the ownership that the directory has here.
RUN groupadd --system --gid 10001 quipu \
    && useradd --system --uid 10001 --gid quipu --home-dir /var/lib/quipu --shell /usr/sbin/nologin quipu \
    && install -d -o quipu -g quipu -m 0700 /var/lib/quipu
COPY --from=builder /usr/local/bin/quipu /usr/local/bin/quipu

# The port is published by the container engine, so all addresses are bound.
ENV QUIPU_SERVER__BIND=0.0.0.0:8080 \
    QUIPU_DATA__DIR=/var/lib/quipu
# Given as a number, so that orchestrators can tell that it is not root.
USER 10001:10001
WORKDIR /var/lib/quipu
VOLUME /var/lib/quipu
EXPOSE 8080
# The image has no curl, so the binary checks itself.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
    CMD ["quipu", "doctor", "--url", "http://127.0.0.1:8080"]
ENTRYPOINT ["quipu"]
CMD ["serve"]
