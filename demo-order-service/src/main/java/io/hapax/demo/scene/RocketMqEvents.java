package io.hapax.demo.scene;

import io.hapax.demo.RocketMqOrders;
import java.io.IOException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;

/** Events on RocketMQ. */
public record RocketMqEvents(String nameServer) implements EventBroker {

  @Override
  public EventTopic<?> create(String name, int partitions)
      throws IOException, InterruptedException {
    DefaultMQProducer producer =
        RocketMqClients.quick(new DefaultMQProducer(name + "-sender"), nameServer);
    producer.setInstanceName(name);
    try {
      producer.start();
      RocketMqOrders.create(producer, name, partitions);
    } catch (MQClientException | IOException e) {
      producer.shutdown();
      throw new IOException("RocketMQ did not create topic " + name, e);
    }
    return new RocketMqTopic(nameServer, name, producer);
  }
}
