package shop.billing;

import io.hapax.servers.LocalKafka;
import io.hapax.servers.LocalPostgres;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** A broker and a database for one run, and the application that uses them. */
final class Shop implements AutoCloseable {

  private final LocalKafka kafka = LocalKafka.start();
  private final LocalPostgres postgres = LocalPostgres.start();
  private ConfigurableApplicationContext application;

  Shop() {
    kafka.createTopic("orders", 4);
    kafka.createTopic("orders-dlt", 4);
    application = open();
  }

  private ConfigurableApplicationContext open() {
    return new SpringApplicationBuilder(BillingApplication.class)
        .run(
            "--spring.kafka.bootstrap-servers=" + kafka.bootstrapServers(),
            "--spring.datasource.url=" + postgres.jdbcUrl(),
            "--spring.datasource.username=" + postgres.username(),
            "--spring.datasource.password=" + postgres.password());
  }

  /** Restarts the application; broker and database go on. */
  void restart() {
    application.close();
    application = open();
  }

  <T> T bean(Class<T> type) {
    return application.getBean(type);
  }

  @Override
  public void close() {
    application.close();
    postgres.close();
    kafka.close();
  }
}
