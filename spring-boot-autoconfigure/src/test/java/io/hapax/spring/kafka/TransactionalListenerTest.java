package io.hapax.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.spring.Idempotent;
import io.hapax.spring.transaction.LogCapture;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.support.Acknowledgment;

/** What a listener writes commits together with the marks. */
@Timeout(90)
class TransactionalListenerTest {

  private static String topic = "";

  @AutoClose
  private static ConfigurableApplicationContext app;

  @DatabaseApplication
  static class Billing {

    private final JdbcTemplate database;
    private final Set<String> failed = ConcurrentHashMap.newKeySet();

    Billing(JdbcTemplate database) {
      this.database = database;
      database.execute("create table invoice (text varchar(100))");
      database.execute("create table customer (id int primary key)");
    }

    @KafkaListener(topics = "${orders}-each", groupId = "billing")
    @Idempotent(id = "key", mode = Idempotent.Mode.TRANSACTIONAL)
    void each(String order, Acknowledgment acknowledgment) {
      write(order);
      if (order.startsWith("nack") && failed.add(order)) {
        acknowledgment.nack(Duration.ofMillis(100));
      } else {
        acknowledgment.acknowledge();
      }
    }

    @KafkaListener(topics = "${orders}-batch", groupId = "billing", batch = "true")
    @Idempotent(id = "key", mode = Idempotent.Mode.TRANSACTIONAL)
    void batch(List<ConsumerRecord<String, String>> orders) {
      orders.forEach(order -> write(order.value()));
    }

    @KafkaListener(topics = "${orders}-swallows", groupId = "swallowing")
    @Idempotent(id = "key", mode = Idempotent.Mode.TRANSACTIONAL)
    void swallows(String order) {
      database.update("insert into invoice values (?)", order);
      if (failed.add(order)) {
        try {
          database.update("insert into customer values (1), (1)");
        } catch (DuplicateKeyException swallowed) {
          // As an application does that expects the customer to exist.
        }
      }
    }

    private void write(String order) {
      database.update("insert into invoice values (?)", order);
      if (order.startsWith("fails") && failed.add(order)) {
        throw new IllegalStateException("fails once");
      }
    }
  }

  @BeforeAll
  static void start() {
    topic = Broker.topic(1);
    for (String kind : List.of("each", "batch")) {
      String ofKind = topic + "-" + kind;
      Broker.createTopic(ofKind);
      Broker.send(ofKind, 0, "a", kind + " a");
      Broker.send(ofKind, 0, "b", "fails in " + kind);
      Broker.send(ofKind, 0, "a", kind + " a");
      Broker.send(ofKind, 0, "c", "nack in " + kind);
      Broker.send(ofKind, 0, "d", kind + " d");
    }
    Broker.createTopic(topic + "-swallows");
    app = Broker.startWithDatabase(Billing.class, topic);
  }

  @Test
  void effects_of_single_records_commit_once_with_their_marks() {
    assertInvoices("each");
  }

  @Test
  void effects_of_batches_commit_once_with_their_marks() {
    assertInvoices("batch");
  }

  private static void assertInvoices(String kind) {
    assertThat(invoices(kind))
        .containsExactlyInAnyOrder(kind + " a", "fails in " + kind, "nack in " + kind, kind + " d");
  }

  /** Returns what was written when all messages of a kind are acknowledged. */
  private static List<String> invoices(String kind) {
    String ofKind = topic + "-" + kind;
    String group = kind.equals("swallows") ? "swallowing" : "billing";
    await().until(() -> Broker.committed(group, ofKind, 0) == Broker.end(ofKind, 0));
    return app.getBean(JdbcTemplate.class)
        .queryForList("select text from invoice where text like ?", String.class, "%" + kind + "%");
  }

  @Test
  void a_swallowed_duplicate_key_is_a_failed_attempt_and_not_logged_as_a_commit() {
    String swallowing = topic + "-swallows";
    try (LogCapture log = new LogCapture("io.hapax")) {
      Broker.send(swallowing, 0, "a", "swallows a");

      assertThat(invoices("swallows")).containsExactly("swallows a");

      assertThat(log.errors()).filteredOn(it -> it.contains("transaction")).isEmpty();
    }
  }
}
