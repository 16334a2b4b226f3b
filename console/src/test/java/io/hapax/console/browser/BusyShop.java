package io.hapax.console.browser;

import io.hapax.IdempotentReceiver;
import io.hapax.StaleMarkSettings;
import io.hapax.console.Console;
import io.hapax.console.ConsoleSettings;
import io.hapax.console.FastConsoles;
import io.hapax.console.figures.Figures;
import io.hapax.console.kafka.OrderMessages;
import io.hapax.console.meters.MeterFigures;
import io.hapax.console.operations.Deployment;
import io.hapax.kafka.KafkaReceiver;
import io.hapax.metrics.MicrometerPartitions;
import io.hapax.metrics.MicrometerReceiverHealth;
import io.hapax.metrics.MicrometerReceiverListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A running consumer, with a console in its process that shows its meters. */
final class BusyShop implements AutoCloseable {

  static final String CONSUMER = "payments";

  private static final Duration STEP = Duration.ofSeconds(2);
  private static final int STEPS = 70;

  private final Shop shop;
  private final Random random = new Random(7);
  private final IdempotentReceiver<ConsumerRecord<byte[], byte[]>> receiver;
  private final KafkaReceiver<byte[], byte[]> service;
  private final ShopConsole console;
  private Duration behind = STEP.multipliedBy(STEPS);
  private int orders;

  private BusyShop(Shop shop) throws IOException {
    this.shop = shop;
    MeterRegistry registry = new SimpleMeterRegistry();
    shop.createTopic(CONSUMER);
    this.receiver = IdempotentReceiver.<ConsumerRecord<byte[], byte[]>>builder(CONSUMER)
        .id(OrderMessages.IDS)
        .noFingerprint()
        .listener(new MicrometerReceiverListener(registry, CONSUMER))
        .countStaleMarks(StaleMarkSettings.DEFAULT)
        .leased(shop.store, delivery -> {});
    this.service = KafkaReceiver.start(receiver, shop.reading(CONSUMER), List.of(CONSUMER));
    MicrometerReceiverHealth.bind(registry, CONSUMER, service::problems, receiver);
    MicrometerPartitions.bind(registry, CONSUMER, service::partitions);
    Figures figures =
        new MeterFigures(registry, CONSUMER, service::problems, shop.store.retention());
    Console opened = FastConsoles.open(
        ConsoleSettings.standalone(ShopConsole.TOKEN),
        Deployment.of(CONSUMER, shop.store),
        figures,
        this::now);
    this.console = ShopConsole.serve(opened);
  }

  static BusyShop open(Shop shop) throws Exception {
    BusyShop busy = new BusyShop(shop);
    busy.work();
    return busy;
  }

  private Instant now() {
    return Instant.now().minus(behind);
  }

  /** Handles orders, some of them twice, and reads the figures after each step of its clock. */
  private void work() throws Exception {
    HttpClient client =
        HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
    client.send(
        request("/signin")
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString("next=/&token=" + ShopConsole.TOKEN))
            .build(),
        BodyHandlers.discarding());
    while (!behind.isZero()) {
      publish();
      client.send(request("/now/series.json").build(), BodyHandlers.discarding());
      behind = behind.minus(STEP);
    }
  }

  void publish() throws Exception {
    int copies = orders > 0 && random.nextInt(6) == 0 ? random.nextInt(30) : 0;
    int first = Math.max(0, orders - copies);
    int end = orders + random.nextInt(12);
    for (int i = first; i < end; i++) {
      shop.send(CONSUMER, "payment-" + i);
    }
    shop.flush();
    orders = Math.max(orders, end);
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(address() + path));
  }

  String address() {
    return console.address();
  }

  ShopConsole console() {
    return console;
  }

  @Override
  public void close() {
    console.close();
    service.close();
    receiver.close();
  }
}
