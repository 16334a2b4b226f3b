# The demo order service, built from the checkout: docker build --tag hapax/order-service .
FROM eclipse-temurin:17.0.20_8-jdk-noble AS build
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/root/.m2 ./mvnw -B -ntp -q -pl demo-order-service -am package \
    -Dmaven.test.skip=true -Dspotless.check.skip -Derror-prone.plugin=-XDnone

FROM eclipse-temurin:17.0.20_8-jre-noble

# 10001: no user of the base image or, most likely, of the host.
RUN groupadd --system --gid 10001 orders \
 && useradd --system --uid 10001 --gid orders --no-create-home --shell /usr/sbin/nologin orders

WORKDIR /opt/order-service
# Libraries change seldom, so they have a layer of their own.
COPY --from=build /src/demo-order-service/target/lib/ lib/
COPY --from=build /src/demo-order-service/target/hapax-demo-order-service-*.jar order-service.jar

USER 10001:10001

# Three quarters of the container's memory are heap; at the end the service leaves its group, which
# takes up to 20 s if a handler is slow: give it as long.
ENTRYPOINT ["java", "-XX:MaxRAMPercentage=75", "-XX:+ExitOnOutOfMemoryError", "-jar", "/opt/order-service/order-service.jar"]
CMD ["serve"]

HEALTHCHECK --interval=10s --timeout=10s --start-period=60s --retries=3 \
  CMD ["curl", "--fail", "--silent", "--show-error", "--output", "/dev/null", "http://127.0.0.1:8080/health"]
