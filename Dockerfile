# The bot in a container. compose.yaml runs it. See docs/hosting.md.

# Pinned by digest for reproducible builds. Dependabot updates it, deliberately a week late.
FROM python:3.13.15-slim-trixie@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore
# `strip`, for deploy/prune.py. The final image doesn't contain it.
RUN apt-get update && apt-get install --yes --no-install-recommends binutils
WORKDIR /src
# Rarely changing layers first. Every package is a wheel, with the hash from its lock.
COPY locks/build.txt locks/run.txt locks/engine.txt locks/cluster.txt locks/fast.txt locks/
RUN python -m venv /build \
    && /build/bin/pip install --require-hashes --only-binary :all: -r locks/build.txt \
    && python -m venv --without-pip /opt/dvonn-bot \
    && /build/bin/pip --python /opt/dvonn-bot/bin/python install \
        --require-hashes --only-binary :all: -r locks/run.txt -r locks/engine.txt -r locks/cluster.txt -r locks/fast.txt
COPY pyproject.toml README.md LICENSE ./
COPY dvonn dvonn
COPY dvonn_lessons dvonn_lessons
COPY renderer renderer
COPY bot bot
COPY school school
COPY club club
COPY deploy/dvonn_bot deploy/dvonn_bot
COPY deploy/prune.py deploy/prune.py
# The environment for the final image has the bot and its packages, reduced to the files that a running
# bot reads, without pip and build tools. The catalogues are compiled now, because the file system may be
# read-only later.
RUN /build/bin/pip wheel --no-deps --no-build-isolation --wheel-dir /wheels ./dvonn ./dvonn_lessons . \
    && /build/bin/pip --python /opt/dvonn-bot/bin/python install --no-index --no-deps /wheels/*.whl \
    && /build/bin/pip --python /opt/dvonn-bot/bin/python check \
    && python deploy/prune.py /opt/dvonn-bot \
    && /opt/dvonn-bot/bin/dvonn-bot --version \
    && /opt/dvonn-bot/bin/python -c "from dvonn_bot import open_parts; open_parts(); \
        from bot.base.languages import read_languages; read_languages()"

FROM python:3.13.15-slim-trixie@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b
LABEL org.opencontainers.image.title=dvonn-bot \
    org.opencontainers.image.description="A Discord bot for playing DVONN" \
    org.opencontainers.image.licenses=MIT \
    org.opencontainers.image.version=0.3.0.dev0
RUN python -m pip uninstall --yes --root-user-action=ignore pip \
    && groupadd --gid 10001 dvonn \
    && useradd --uid 10001 --gid dvonn --home-dir /data --no-create-home \
        --shell /usr/sbin/nologin dvonn \
    && install --directory --owner=dvonn --group=dvonn --mode=0700 /data
COPY --from=build /opt/dvonn-bot /opt/dvonn-bot
ENV PATH=/opt/dvonn-bot/bin:$PATH PYTHONUNBUFFERED=1 DATABASE_URL=sqlite:////data/dvonn.sqlite3 \
    NUMBA_CACHE_DIR=/data/compiled MALLOC_ARENA_MAX=2
# The bot writes only to /data. The rest of the file system may be read-only.
WORKDIR /data
VOLUME /data
USER 10001:10001
ENTRYPOINT ["dvonn-bot"]
