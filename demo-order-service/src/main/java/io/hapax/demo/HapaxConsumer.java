package io.hapax.demo;

import io.hapax.Delivery;
import io.hapax.IdempotentReceiver;
import io.hapax.LeaseSettings;
import io.hapax.ReceiverBuilder;
import io.hapax.RetrySettings;
import io.hapax.jdbc.JdbcDedupStore;
import io.hapax.kafka.KafkaFingerprints;
import io.hapax.kafka.KafkaIds;
import io.hapax.kafka.KafkaReceiver;
import io.hapax.store.DedupStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The order service on Hapax. */
final class HapaxConsumer {

  /** The consumer's name, and so the scope of its marks. */
  static final String NAME = "order-service";

  /** Short, so that a killed owner's orders do not wait long. */
  private static final Duration LEASE = Duration.ofSeconds(3);

  private static final Duration LOOK_EVERY = Duration.ofMillis(100);

  private final DataSource database;
  private final Marks marks;
  private final Reports reports;
  private final Brake brake;
  private final long pid = ProcessHandle.current().pid();

  HapaxConsumer(DataSource database, Marks marks, Reports reports, Brake brake) {
    this.database = database;
    this.marks = marks;
    this.reports = reports;
    this.brake = brake;
  }

  void run(Mode mode, int maxAttempts, Map<String, Object> properties, ParentWatch parent)
      throws InterruptedException {
    if (mode == Mode.TRANSACTIONAL) {
      try (JdbcDedupStore store = Marks.inShop(database);
          IdempotentReceiver<ConsumerRecord<String, byte[]>> receiver =
              builder(maxAttempts).transactional(store, this::takeIntoEffect)) {
        consume(receiver, properties, parent);
      }
    } else {
      try (DedupStore store = marks.open(database);
          IdempotentReceiver<ConsumerRecord<String, byte[]>> receiver =
              builder(maxAttempts).leased(store, this::takeIntoEffectAlone)) {
        consume(receiver, properties, parent);
      }
    }
  }

  private void consume(
      IdempotentReceiver<ConsumerRecord<String, byte[]>> receiver,
      Map<String, Object> properties,
      ParentWatch parent)
      throws InterruptedException {
    try (KafkaReceiver<String, byte[]> orders =
        KafkaReceiver.start(receiver, properties, List.of(Topic.NAME))) {
      reports.ready(pid);
      while (!parent.awaitStop(LOOK_EVERY)) {
        if (orders.state() == KafkaReceiver.State.DOWN) {
          throw new IllegalStateException(
              "the Kafka receiver is down", orders.failure().orElse(null));
        }
      }
    }
  }

  private ReceiverBuilder<ConsumerRecord<String, byte[]>> builder(int maxAttempts) {
    return IdempotentReceiver.<ConsumerRecord<String, byte[]>>builder(NAME)
        .id(KafkaIds.header(Topic.ID_HEADER))
        .fingerprint(KafkaFingerprints.value())
        .lease(LeaseSettings.of(LEASE))
        .retry(new RetrySettings(maxAttempts, Duration.ofMillis(200), Duration.ofSeconds(5)))
        .listener(new ReportingListener(reports));
  }

  /** The transaction is the marks' own: effects and marks stand or fall together. */
  private void takeIntoEffect(
      Connection transaction, List<Delivery<ConsumerRecord<String, byte[]>>> deliveries)
      throws SQLException, InterruptedException {
    reports.started(deliveries.stream().map(HapaxConsumer::inFlight).toList());
    brake.hold();
    Shop.apply(transaction, deliveries.stream().map(this::effect).toList());
    brake.passed(deliveries.size());
    brake.hold();
  }

  /** The transaction is the shop's own: a crash after it leaves the order in doubt. */
  private void takeIntoEffectAlone(Delivery<ConsumerRecord<String, byte[]>> delivery)
      throws SQLException, InterruptedException {
    reports.started(List.of(inFlight(delivery)));
    brake.hold();
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      Shop.apply(connection, List.of(effect(delivery)));
      connection.commit();
    }
    brake.passed(1);
    brake.hold();
  }

  private static Reports.InFlight inFlight(Delivery<?> delivery) {
    return new Reports.InFlight(delivery.claim().origin().coordinates(), delivery.messageId());
  }

  private Effect effect(Delivery<ConsumerRecord<String, byte[]>> delivery) {
    Order order = OrderJson.read(delivery.message().value());
    return new Effect(
        order,
        new LedgerRow(
            order.id(), delivery.fencingToken(), delivery.attempt(), delivery.recovery(), pid));
  }
}
