# omoide serve, omoide worker, and every other command: docker build -t omoide:0.1.0 .
FROM python:3.12-slim AS build
COPY . /src
RUN python -m venv /opt/omoide \
    && /opt/omoide/bin/pip install --no-cache-dir -c /src/constraints.txt \
        "/src[local,llm,server,redis,postgres,qdrant,otel]"

FROM python:3.12-slim
RUN useradd --uid 10001 --create-home omoide \
    && install -d -m 0700 -o omoide -g omoide /var/lib/omoide /var/lib/omoide-characters
COPY --from=build /opt/omoide /opt/omoide
ENV PATH=/opt/omoide/bin:$PATH PYTHONUNBUFFERED=1
USER 10001
EXPOSE 8765
ENTRYPOINT ["omoide"]
CMD ["serve"]
