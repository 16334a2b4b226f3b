package io.hapax.cli;

import io.hapax.redis.RedisDedupStore;
import io.hapax.servers.LocalRedis;
import io.hapax.servers.LocalRocketMq;
import io.hapax.store.DedupStore;
import io.lettuce.core.RedisURI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.Message;
import org.junit.jupiter.api.Timeout;

/** The common part of the tests on RocketMQ: the servers, which end with this JVM. */
@Timeout(180)
abstract class RocketMqFixture {

  private static final int PATIENCE_MILLIS = 20_000; // a loaded machine is slow

  static final LocalRocketMq ROCKET_MQ = LocalRocketMq.start();
  static final LocalRedis REDIS = LocalRedis.start();

  final AtomicInteger effects = new AtomicInteger();

  static DedupStore store() {
    return RedisDedupStore.builder(RedisURI.create(REDIS.uri())).build();
  }

  /** Creates a consumer of the topic from its beginning, without starting it. */
  static DefaultMQPushConsumer consumer(String group, String topic) throws MQClientException {
    DefaultMQPushConsumer consumer = new DefaultMQPushConsumer(group);
    consumer.setNamesrvAddr(ROCKET_MQ.nameServer());
    consumer.setMqClientApiTimeout(PATIENCE_MILLIS);
    consumer.setPollNameServerInterval(1_000);
    consumer.setHeartbeatBrokerInterval(1_000); // this broker expires a silent client soon
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.subscribe(topic, "*");
    return consumer;
  }

  static void send(String topic, String... keys) throws Exception {
    DefaultMQProducer producer = new DefaultMQProducer("senders");
    producer.setNamesrvAddr(ROCKET_MQ.nameServer());
    producer.setMqClientApiTimeout(PATIENCE_MILLIS);
    producer.setSendMsgTimeout(PATIENCE_MILLIS);
    producer.start();
    try {
      for (String key : keys) {
        producer.send(new Message(topic, "", key, body(key).getBytes(StandardCharsets.UTF_8)));
      }
    } finally {
      producer.shutdown();
    }
  }

  private static String body(String key) {
    return "{\"order\": {\"id\": \"" + key + "\"}}";
  }

  static Console console(String topic, String consumer) {
    return new Console(
        "--broker rocketmq --bootstrap",
        ROCKET_MQ.nameServer(),
        "--topic",
        topic,
        "--consumer",
        consumer,
        "--store",
        REDIS.uri());
  }
}
