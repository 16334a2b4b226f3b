package io.hapax.spring.web;

import io.hapax.spring.LeftOut;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The shop in an embedded Tomcat, and its client. */
final class RunningShop implements AutoCloseable {

  static final String WITHOUT_JPA =
      "spring.autoconfigure.exclude=" + LeftOut.SECURITY + "," + LeftOut.JPA;

  private final HttpClient client = HttpClient.newHttpClient();
  private final ConfigurableApplicationContext context;

  private RunningShop(ConfigurableApplicationContext context) {
    this.context = context;
  }

  static RunningShop start(Class<?> application, String... properties) {
    return new RunningShop(new SpringApplicationBuilder(application)
        .properties(
            WITHOUT_JPA,
            "server.port=0",
            "spring.main.banner-mode=off",
            "logging.level.root=warn",
            "spring.application.name=shop",
            "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1",
            "spring.datasource.hikari.connection-timeout=500",
            "hapax.jdbc.create-if-absent=true",
            "hapax.jdbc.allow-volatile=true",
            "hapax.web.max-body=20KB")
        .properties(properties)
        .run());
  }

  HttpRequest.Builder request(String path, String user) {
    String port = context.getEnvironment().getRequiredProperty("local.server.port");
    return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
        .header("X-User", user);
  }

  HttpRequest.Builder post(String path, String key, String body) {
    return request(path, "ann")
        .header("Idempotency-Key", key)
        .header("Content-Type", "text/plain")
        .POST(BodyPublishers.ofString(body));
  }

  HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
    return client.send(request.build(), BodyHandlers.ofString());
  }

  CompletableFuture<HttpResponse<String>> sendAsync(HttpRequest.Builder request) {
    return client.sendAsync(request.build(), BodyHandlers.ofString());
  }

  @Override
  public void close() {
    context.close();
  }
}
