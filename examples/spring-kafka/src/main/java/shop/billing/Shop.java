package shop.billing;

import io.hapax.servers.LocalKafka;
import io.hapax.servers.LocalPostgres;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** A broker and a database for one run, and the application that uses them. */
final class Shop implements AutoCloseable {

  private static final int PARTITIONS = 4;

  private final LocalKafka kafka = LocalKafka.start();
  private final LocalPostgres postgres = LocalPostgres.start();
  private ConfigurableApplicationContext application;

  Shop() {
    kafka.createTopic("orders", PARTITIONS);
    kafka.createTopic("orders-dlt", PARTITIONS);
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

  /** Waits until the listener has no records left. */
  void awaitHandled() throws ExecutionException, InterruptedException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      while (handled(admin) < sent(admin)) {
        Thread.sleep(100);
      }
    }
  }

  private static long handled(Admin admin) throws ExecutionException, InterruptedException {
    return admin
        .listConsumerGroupOffsets("billing")
        .partitionsToOffsetAndMetadata()
        .get()
        .values()
        .stream()
        .mapToLong(OffsetAndMetadata::offset)
        .sum();
  }

  private static long sent(Admin admin) throws ExecutionException, InterruptedException {
    Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      ends.put(new TopicPartition("orders", partition), OffsetSpec.latest());
    }
    return admin.listOffsets(ends).all().get().values().stream()
        .mapToLong(ListOffsetsResultInfo::offset)
        .sum();
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
