package io.hapax.demo.scene;

import io.hapax.demo.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;

/** The shop's client of a payment gateway. Thread-safe. */
public final class GatewayClient {

  public static final Duration TIMEOUT = Duration.ofSeconds(1);

  private final HttpClient http = HttpClient.newHttpClient();
  private final URI charges;

  GatewayClient(int port) {
    this.charges = URI.create("http://127.0.0.1:" + port + "/charges/");
  }

  /**
   * Charges a customer, without a key. If the gateway does not answer within a second, the call
   * fails, and the gateway may have charged.
   */
  Charge charge(String orderId, int cents) throws IOException, InterruptedException {
    return charge(request(orderId), cents);
  }

  /** Charges a customer. A gateway that honours keys returns the same charge for the same key. */
  Charge charge(String orderId, int cents, String key) throws IOException, InterruptedException {
    return charge(request(orderId).header(Gateway.KEY, key), cents);
  }

  private Charge charge(HttpRequest.Builder request, int cents)
      throws IOException, InterruptedException {
    return send(
        request.POST(HttpRequest.BodyPublishers.ofString(Integer.toString(cents))), Charge.class);
  }

  List<Charge> find(String orderId) throws IOException, InterruptedException {
    return List.of(send(request(orderId), Charge[].class));
  }

  private HttpRequest.Builder request(String orderId) {
    return HttpRequest.newBuilder(charges.resolve(orderId)).timeout(TIMEOUT);
  }

  private <R> R send(HttpRequest.Builder request, Class<R> type)
      throws IOException, InterruptedException {
    HttpResponse<byte[]> response =
        http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    if (response.statusCode() != 200) {
      throw new IOException("the gateway answered " + response.statusCode());
    }
    return Json.read(response.body(), type);
  }
}
