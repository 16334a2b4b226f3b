package io.hapax.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.spring.Idempotent;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.listener.RecordInterceptor;

/** An interceptor chooses the tenant of each record, and the DataSource routes by it. */
@Timeout(90)
class RoutedListenerTest {

  private static final ThreadLocal<@Nullable String> TENANT = new ThreadLocal<>();
  private static final DataSource MAIN = database();
  private static final DataSource ACME = database();

  private static DataSource database() {
    JdbcDataSource h2 = new JdbcDataSource();
    h2.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    new JdbcTemplate(h2).execute("create table invoice (text varchar(100))");
    return h2;
  }

  /** Takes the tenant from the key, and forgets it only at the next record. */
  private static final class Tenants implements RecordInterceptor<Object, Object> {

    @Override
    public ConsumerRecord<Object, Object> intercept(
        ConsumerRecord<Object, Object> record, Consumer<Object, Object> consumer) {
      TENANT.set(String.valueOf(record.key()).substring(0, 4));
      return record;
    }
  }

  @DatabaseApplication
  static class Billing {

    @Bean
    static DataSource routing() {
      AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {
        @Override
        protected @Nullable Object determineCurrentLookupKey() {
          return TENANT.get();
        }
      };
      routing.setTargetDataSources(Map.of("acme", ACME));
      routing.setDefaultTargetDataSource(MAIN);
      return routing;
    }

    @Bean
    static RecordInterceptor<Object, Object> tenants() {
      return new Tenants();
    }

    @Bean
    Listener listener(JdbcTemplate database) {
      return new Listener(database);
    }
  }

  static class Listener {

    private final JdbcTemplate database;

    Listener(JdbcTemplate database) {
      this.database = database;
    }

    @KafkaListener(topics = "${orders}", groupId = "billing")
    @Idempotent(id = "key")
    void on(String order) {
      database.update("insert into invoice values (?)", order);
    }
  }

  private static ConfigurableApplicationContext start(String topic, String mode) {
    return Broker.start(
        Billing.class, topic, "hapax.mode=" + mode, "hapax.jdbc.create-if-absent=true");
  }

  private static List<String> invoices(DataSource of) {
    return new JdbcTemplate(of).queryForList("select text from invoice", String.class);
  }

  @Test
  void a_tenant_for_each_record_is_refused_unless_listeners_are_leased() {
    String topic = Broker.topic(1);
    Broker.send(topic, 0, "acme-1", "of acme");
    Broker.send(topic, 0, "main-1", "of main");
    Broker.send(topic, 0, "acme-2", "of acme, too");
    Broker.send(topic, 0, "acme-2", "of acme, too");

    assertThatThrownBy(() -> start(topic, "default"))
        .rootCause()
        .hasMessageContaining("chooses when a transaction begins");

    try (ConfigurableApplicationContext app = start(topic, "leased")) {
      assertThat(app.isActive()).isTrue();
      Broker.awaitCommitted(topic, 1);
    }
    assertThat(invoices(ACME)).containsExactly("of acme", "of acme, too");
    assertThat(invoices(MAIN)).containsExactly("of main");
    assertThat(new JdbcTemplate(MAIN).queryForList("select * from hapax_marks"))
        .as("the marks of all tenants are in one database")
        .hasSize(3);
  }
}
