package io.hapax.bench;

import io.hapax.servers.LocalRocketMq;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.Message;

final class RocketMqBroker implements AutoCloseable {

  /**
   * The interval in which offsets are written. It is long enough that no queue is silent for twice
   * as long. After such a silence a transactional listener uses one-by-one mode again.
   */
  static final int PERSIST_MILLIS = 500;

  private static final String TOPIC = "orders";
  private static final int AT_ONCE = 200;
  private static final int INTERVAL_MILLIS = 1_000;
  private static final int PATIENCE_MILLIS = 30_000;
  private static final String BODY = "x".repeat(100);

  private final LocalRocketMq server = LocalRocketMq.builder()
      .jvmOption("-Xmx1g")
      .jvmOption("-XX:TieredStopAtLevel=4")
      .setting("mappedFileSizeCommitLog", Integer.toString(1 << 28))
      .setting("mappedFileSizeConsumeQueue", Integer.toString(300_000 * 20))
      .start();
  private int groups;

  void fill(int number, int queueCount) throws Exception {
    server.createTopic(TOPIC, queueCount);
    DefaultMQProducer producer = connected(new DefaultMQProducer("bench-producer"));
    producer.setSendMsgTimeout(PATIENCE_MILLIS);
    producer.start();
    try {
      var queues = producer.fetchPublishMessageQueues(TOPIC);
      for (int sent = 0, batch = 0; sent < number; batch++) {
        List<Message> messages = new ArrayList<>();
        for (int i = 0; i < AT_ONCE && sent < number; i++, sent++) {
          messages.add(new Message(
              TOPIC, "", "order-" + sent, (BODY + sent).getBytes(StandardCharsets.UTF_8)));
        }
        producer.send(messages, queues.get(batch % queues.size()));
      }
    } finally {
      producer.shutdown();
    }
  }

  DefaultMQPushConsumer consumer(int batch) throws MQClientException {
    String group = "bench-" + ++groups;
    DefaultMQPushConsumer consumer = connected(new DefaultMQPushConsumer(group));
    consumer.setInstanceName(group);
    consumer.setPersistConsumerOffsetInterval(PERSIST_MILLIS);
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.setConsumeMessageBatchMaxSize(batch);
    consumer.subscribe(TOPIC, "*");
    return consumer;
  }

  /** Configures a client that notices changes quickly. */
  private <C extends ClientConfig> C connected(C config) {
    config.setNamesrvAddr(server.nameServer());
    config.setPollNameServerInterval(INTERVAL_MILLIS);
    config.setHeartbeatBrokerInterval(INTERVAL_MILLIS);
    config.setMqClientApiTimeout(PATIENCE_MILLIS);
    return config;
  }

  @Override
  public void close() {
    server.close();
  }
}
