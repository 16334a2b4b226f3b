package io.hapax.spring.rocketmq;

import static io.hapax.spring.rocketmq.Broker.BOUND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.spring.Idempotent;
import io.hapax.spring.autoconfigure.HapaxJdbcAutoConfiguration;
import io.hapax.spring.transaction.TestDatabase;
import io.hapax.spring.transaction.ledger.Ledger;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.apache.rocketmq.spring.annotation.RocketMQMessageListener;
import org.apache.rocketmq.spring.core.RocketMQListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;

/** A listener whose database writes commit with the marks of its messages. */
@Timeout(180)
class TransactionalListenerTest {

  private static final String TOPIC = "bookings";
  private static final int SENT = 10;

  private static final DataSource DATABASE = TestDatabase.POSTGRES.access().dataSource();

  @Configuration(proxyBeanMethods = false)
  @EnableTransactionManagement
  @Import({Bookings.class, Ledger.class})
  @ImportAutoConfiguration(HapaxJdbcAutoConfiguration.class)
  static class Application {

    @Bean
    DataSource dataSource() {
      return DATABASE;
    }

    @Bean
    JdbcTransactionManager transactions(DataSource dataSource) {
      return new JdbcTransactionManager(dataSource);
    }

    @Bean
    JdbcTemplate jdbcTemplate(DataSource dataSource) {
      return new JdbcTemplate(dataSource);
    }
  }

  /** Writes each booking in the transaction of its mark, and then fails twice for one of them. */
  @Idempotent(id = "key")
  @RocketMQMessageListener(topic = TOPIC, consumerGroup = "ledger")
  static class Bookings implements RocketMQListener<String>, FastClient {

    private final Ledger ledger;
    private final AtomicInteger failures = new AtomicInteger();

    Bookings(Ledger ledger) {
      this.ledger = ledger;
    }

    @Override
    public void onMessage(String booking) {
      ledger.writeMandatory(booking);
      if (booking.equals("booking-7") && failures.incrementAndGet() <= 2) {
        throw new IllegalStateException("no such account");
      }
    }
  }

  @Test
  void writes_of_a_failed_attempt_roll_back_with_its_mark() throws Exception {
    List<String> bookings =
        IntStream.range(0, SENT).mapToObj(it -> "booking-" + it).toList();
    Broker.createTopic(TOPIC);
    for (int copy = 0; copy < 2; copy++) {
      for (String booking : bookings) {
        Broker.send(TOPIC, booking, booking);
      }
    }

    try (ConfigurableApplicationContext application = Broker.application(
        Application.class,
        "hapax.jdbc.create-if-absent=true",
        "hapax.consumers.ledger.first-backoff=50ms")) {
      await().atMost(BOUND).until(() -> written().size() >= SENT);

      assertThat(written()).containsExactlyInAnyOrderElementsOf(bookings);
      assertThat(application.getBean(Bookings.class).failures.get()).isGreaterThanOrEqualTo(2);
    }
  }

  private static List<String> written() {
    return new JdbcTemplate(DATABASE)
        .queryForList("select message from ledger where message like 'booking-%'", String.class);
  }
}
