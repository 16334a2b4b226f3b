package io.hapax.demo.scene;

import io.hapax.demo.KafkaOrders;
import java.io.IOException;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;

/** Events on Kafka. */
public record KafkaEvents(String bootstrapServers) implements EventBroker {

  @Override
  public EventTopic<?> create(String name, int partitions)
      throws IOException, InterruptedException {
    try (Admin admin =
        Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers))) {
      KafkaOrders.create(admin, name, partitions);
    }
    return new KafkaEventTopic(bootstrapServers, name);
  }
}
