package io.hapax.spring.console;

import io.hapax.mark.MarkState;
import io.hapax.operations.redrive.MarkOperations;
import io.hapax.spring.Idempotent;
import io.hapax.spring.LeftOut;
import io.hapax.spring.kafka.Broker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.annotation.KafkaListener;

/** An application with three listeners on Kafka, and two users of its console. */
@Timeout(120)
abstract class KafkaConsoleFixture {

  static final Duration BOUND = Duration.ofSeconds(60);

  @TempDir
  static Path folder;

  static String orders = "";
  static String payments = "";
  static String refunds = "";

  @AutoClose
  static MountedConsole console;

  static ConsoleUser operator;
  static ConsoleUser reader;

  @Configuration(proxyBeanMethods = false)
  @Import({Orders.class, Cashier.class})
  static class Shop {

    @Bean
    BrokenOrders brokenOrders() {
      return new BrokenOrders();
    }
  }

  static class Orders {

    private final BrokenOrders shop;

    Orders(BrokenOrders shop) {
      this.shop = shop;
    }

    @KafkaListener(topics = "${orders}", groupId = "billing")
    @Idempotent(id = "header:order-id")
    void on(String order) {
      shop.handle(order);
    }
  }

  /** Its topic and its group do not exist. */
  static class Archive {

    @KafkaListener(topics = "archive-of-${orders}", groupId = "archive", autoStartup = "false")
    @Idempotent(id = "key", consumer = "billing")
    void on(String order) {}
  }

  static class Cashier {

    private final BrokenOrders shop;

    Cashier(BrokenOrders shop) {
      this.shop = shop;
    }

    @KafkaListener(
        topics = {"payments-of-${orders}", "refunds-of-${orders}"},
        groupId = "cashier")
    @Idempotent(id = "key", consumer = "billing")
    void on(String payment) {
      shop.handle(payment);
    }
  }

  @BeforeAll
  static void start() {
    orders = Broker.topic(1);
    payments = "payments-of-" + orders;
    refunds = "refunds-of-" + orders;
    for (String topic : List.of(payments, refunds)) {
      Broker.createTopic(topic);
    }
    for (String topic : List.of(orders, payments, refunds)) {
      Broker.createTopic(topic + "-dlt");
    }
    console = start(Broker.servers());
    operator = new ConsoleUser(console, "ann operator");
    reader = new ConsoleUser(console, "bob");
  }

  static MountedConsole start(String servers, String... more) {
    return start(List.of(ConsoleApplication.class, Shop.class), servers, more);
  }

  static MountedConsole start(List<Class<?>> sources, String servers, String... more) {
    List<String> properties = new ArrayList<>(List.of(
        "--spring.autoconfigure.exclude=" + LeftOut.DATABASE + "," + LeftOut.SECURITY,
        "--orders=" + orders,
        "--spring.kafka.bootstrap-servers=" + servers,
        "--spring.kafka.consumer.auto-offset-reset=earliest",
        "--spring.kafka.listener.poll-timeout=200ms",
        "--hapax.dead-letters={topic}-dlt",
        "--hapax.consumers.billing.first-backoff=50ms"));
    properties.addAll(MountedConsole.writable(folder));
    properties.addAll(List.of(more));
    return MountedConsole.start(sources, properties);
  }

  static BrokenOrders shop() {
    return console.bean(BrokenOrders.class);
  }

  static MarkOperations marks() {
    return new MarkOperations(console.store(), "billing");
  }

  static void order(String order) {
    Broker.send(orders, 0, "key of " + order, order, "order-id=" + order);
  }

  /** Leaves an open mark of a message that was handled and is not delivered again. */
  static void abandon(String id, String order) {
    console.awaitState(id, MarkState.DONE);
    console.abandon(shop().claim(order));
  }

  static String redrive(ConsoleUser user, String letters, String id, String to) throws Exception {
    return user.plan("redrive", "topic", letters, "id", id, "to", to, "rate", "100");
  }
}
