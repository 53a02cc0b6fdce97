# navproof in a container, as a user without rights:
#   docker build -t navproof .
#   docker run --rm -v "$PWD/runs:/work/runs" navproof run --agent oracle,random --suite mini -o runs/first --report
# Where the folder belongs to another user id than 1000, add: --user "$(id -u):$(id -g)"
FROM python:3.11-slim

COPY pyproject.toml README.md LICENSE /src/
COPY src /src/src
COPY constraints /src/constraints
# What builds the package is locked, too: it is installed first and not fetched for the build.
RUN pip install --no-cache-dir -c /src/constraints/py311.txt hatchling editables \
    && pip install --no-cache-dir --no-build-isolation -c /src/constraints/py311.txt /src \
    && rm -rf /src \
    && useradd --create-home --uid 1000 navproof \
    && mkdir -p /work/runs /cache && chown -R navproof /work && chmod 1777 /cache

ENV NAVPROOF_CACHE=/cache NUMBA_CACHE_DIR=/cache/numba
USER navproof
WORKDIR /work
VOLUME /cache
ENTRYPOINT ["navproof"]
CMD ["--help"]
