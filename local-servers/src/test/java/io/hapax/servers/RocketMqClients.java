package io.hapax.servers;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.Message;

/** A plain producer and a plain consumer of text, each with its own client. */
final class RocketMqClients {

  private static final Duration BOUND = Duration.ofSeconds(30);

  private RocketMqClients() {}

  /**
   * Creates a consumer that finds its retry topic within seconds. Its JVM needs the properties too.
   */
  static DefaultMQPushConsumer quickConsumer(LocalRocketMq server, String group) {
    System.setProperty("rocketmq.client.rebalance.waitInterval", "1000");
    System.setProperty("rocketmq.client.rebalance.minInterval", "200");
    return own(new DefaultMQPushConsumer(group), server, group);
  }

  static void send(LocalRocketMq server, String topic, String... values) throws Exception {
    DefaultMQProducer producer = own(new DefaultMQProducer("writers"), server, "writer");
    producer.start();
    try {
      for (String value : values) {
        producer.send(new Message(topic, value.getBytes(StandardCharsets.UTF_8)));
      }
    } finally {
      producer.shutdown();
    }
  }

  /**
   * Reads the topic from its beginning until it has this number of values, for half a minute at
   * most.
   */
  static List<String> read(LocalRocketMq server, String topic, int count) throws Exception {
    DefaultLitePullConsumer consumer =
        own(new DefaultLitePullConsumer("readers"), server, "reader");
    consumer.setAutoCommit(false);
    consumer.start();
    try {
      Deadline deadline = Deadline.in(BOUND);
      assign(consumer, topic, deadline);
      List<String> values = new ArrayList<>();
      while (values.size() < count && !deadline.hasPassed()) {
        consumer
            .poll(100)
            .forEach(message -> values.add(new String(message.getBody(), StandardCharsets.UTF_8)));
      }
      return values;
    } finally {
      consumer.shutdown();
    }
  }

  private static void assign(DefaultLitePullConsumer consumer, String topic, Deadline deadline)
      throws MQClientException {
    while (true) {
      try {
        var queues = consumer.fetchMessageQueues(topic);
        consumer.assign(queues);
        for (var queue : queues) {
          consumer.seekToBegin(queue);
        }
        return;
      } catch (MQClientException e) {
        if (deadline.hasPassed()) {
          throw e;
        }
      }
    }
  }

  private static <C extends ClientConfig> C own(C client, LocalRocketMq server, String name) {
    client.setNamesrvAddr(server.nameServer());
    client.setPollNameServerInterval(1_000);
    client.setHeartbeatBrokerInterval(1_000);
    client.setInstanceName(name + '-' + server.port() + '-' + System.nanoTime());
    return client;
  }
}
