package io.hapax.demo.scene;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.topic.TopicValidator;

/** Events on RocketMQ. */
public record RocketMqEvents(String nameServer) implements EventBroker {

  /** A topic that every broker has. Its route names the brokers that create the new topic. */
  private static final String KNOWN_TOPIC = TopicValidator.RMQ_SYS_SELF_TEST_TOPIC;

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long TICK_MILLIS = 200;

  @Override
  public EventTopic<?> create(String name, int partitions)
      throws IOException, InterruptedException {
    DefaultMQProducer producer =
        RocketMqClients.quick(new DefaultMQProducer(name + "-sender"), nameServer);
    producer.setInstanceName(name);
    try {
      producer.start();
      create(producer, name, partitions);
    } catch (MQClientException e) {
      producer.shutdown();
      throw new IOException("RocketMQ did not create topic " + name, e);
    }
    return new RocketMqTopic(nameServer, name, producer);
  }

  /** Creates a topic. The name server may not know a broker yet that was just started. */
  @SuppressWarnings("deprecation") // deprecated, and still the only way without RocketMQ's tools
  private static void create(DefaultMQProducer producer, String name, int partitions)
      throws MQClientException, InterruptedException {
    long begin = System.nanoTime();
    while (!exists(producer, name)) {
      try {
        producer.createTopic(KNOWN_TOPIC, name, partitions, Map.of());
      } catch (MQClientException e) {
        if (System.nanoTime() - begin > PATIENCE_NANOS) {
          throw e;
        }
      }
      TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
    }
  }

  @SuppressWarnings("deprecation") // deprecated, see create()
  private static boolean exists(DefaultMQProducer producer, String name) {
    try {
      return !producer.fetchPublishMessageQueues(name).isEmpty();
    } catch (MQClientException noRouteToIt) {
      return false;
    }
  }
}
