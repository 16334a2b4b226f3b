package io.hapax.demo.scene;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;

/** A customer's client of the {@link OrderServer}. Thread-safe. */
final class ShopClient {

  private final HttpClient http = HttpClient.newHttpClient();
  private final URI shop;
  private final String customer;

  ShopClient(OrderServer server, String customer) {
    this.shop = URI.create("http://127.0.0.1:" + server.port() + "/");
    this.customer = customer;
  }

  HttpResponse<String> token() {
    return send(request("tokens").POST(HttpRequest.BodyPublishers.noBody())).join();
  }

  CompletableFuture<HttpResponse<String>> order(String header, String value, int amount) {
    return send(request("orders")
        .header(header, value)
        .POST(HttpRequest.BodyPublishers.ofString(Integer.toString(amount))));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(shop.resolve(path)).header(OrderServer.CUSTOMER, customer);
  }

  private CompletableFuture<HttpResponse<String>> send(HttpRequest.Builder request) {
    return http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
  }
}
