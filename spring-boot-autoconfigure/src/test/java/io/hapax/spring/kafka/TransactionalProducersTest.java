package io.hapax.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.spring.Idempotent;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import javax.sql.DataSource;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.KafkaTemplate;

/** Records that a listener sends with transactional producers, in the transaction of its mark. */
@Timeout(90)
class TransactionalProducersTest {

  @Import(WithoutTransactions.class)
  @DatabaseApplication
  static class Billing {

    private final JdbcTemplate database;
    private final KafkaTemplate<Object, Object> records;
    private final String sent;

    Billing(
        JdbcTemplate database,
        KafkaTemplate<Object, Object> records,
        @Value("${orders}-sent") String sent) {
      this.database = database;
      this.records = records;
      this.sent = sent;
      database.execute("create table bill (text varchar(100))");
    }

    @Bean
    @Primary
    static JdbcTransactionManager databaseTransactions(DataSource dataSource) {
      return new JdbcTransactionManager(dataSource);
    }

    @KafkaListener(
        topics = "${orders}",
        groupId = "billing",
        containerPostProcessor = "withoutTransactions")
    @Idempotent(id = "key", mode = Idempotent.Mode.TRANSACTIONAL)
    void on(String order) {
      database.update("insert into bill values (?)", order);
      if (order.equals("apart")) {
        records.executeInTransaction(own -> own.send(sent, order).join());
      } else {
        var unused = records.send(sent, order);
        fence("billing-0");
      }
    }

    /** Takes a producer's place before it commits, as a second instance with its prefix does. */
    private static void fence(String producer) {
      StringSerializer text = new StringSerializer();
      Map<String, Object> properties =
          Map.of("bootstrap.servers", Broker.servers(), "transactional.id", producer);
      try (KafkaProducer<String, String> other = new KafkaProducer<>(properties, text, text)) {
        other.initTransactions();
      }
    }
  }

  @Test
  void a_record_that_would_be_committed_after_the_mark_is_refused() {
    String topic = Broker.topic(1);
    Broker.createTopic(topic + "-sent");
    Broker.createTopic(topic + "-dlt");
    Broker.send(topic, 0, "a", "apart");
    Broker.send(topic, 0, "b", "joined");

    try (ConfigurableApplicationContext app = Broker.startWithDatabase(
        Billing.class,
        topic,
        "spring.kafka.producer.transaction-id-prefix=billing-",
        "hapax.dead-letters={topic}-dlt",
        "hapax.consumers.billing.attempts=2")) {
      await().until(() -> Broker.committed("billing", topic, 0) == 2);

      assertThat(
              app.getBean(JdbcTemplate.class).queryForList("select text from bill", String.class))
          .isEqualTo(Broker.committedValues(topic + "-sent"))
          .containsExactly("apart");
    }
    byte[] detail = Broker.read(topic + "-dlt", letter -> letter.value().equals("joined"))
        .headers()
        .lastHeader("hapax-detail")
        .value();
    assertThat(new String(detail, StandardCharsets.UTF_8)).contains("executeInTransaction");
  }
}
