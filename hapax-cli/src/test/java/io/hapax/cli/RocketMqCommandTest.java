package io.hapax.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.IdempotentReceiver;
import io.hapax.RejectedMessageException;
import io.hapax.redis.RedisDedupStore;
import io.hapax.rocketmq.RocketMqDeadLetterPublisher;
import io.hapax.rocketmq.RocketMqFingerprints;
import io.hapax.rocketmq.RocketMqIds;
import io.hapax.rocketmq.RocketMqReceiver;
import io.hapax.servers.LocalRedis;
import io.hapax.servers.LocalRocketMq;
import io.hapax.store.DedupStore;
import io.lettuce.core.RedisURI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands on a real RocketMQ. */
@Timeout(180)
class RocketMqCommandTest {

  private static LocalRocketMq rocketMq;
  private static LocalRedis redis;

  private final AtomicInteger effects = new AtomicInteger();

  @BeforeAll
  static void start() {
    rocketMq = LocalRocketMq.start();
    redis = LocalRedis.start();
  }

  @AfterAll
  static void stop() {
    rocketMq.close();
    redis.close();
  }

  private static void send(String topic, String... keys) throws Exception {
    DefaultMQProducer producer = new DefaultMQProducer("senders");
    producer.setNamesrvAddr(rocketMq.nameServer());
    producer.setSendMsgTimeout(20_000);
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

  private static Console console(String topic, String consumer) {
    return new Console(
        "--broker",
        "rocketmq",
        "--bootstrap",
        rocketMq.nameServer(),
        "--topic",
        topic,
        "--consumer",
        consumer,
        "--store",
        redis.uri());
  }

  @Test
  void an_audit_counts_and_a_replay_of_an_unknown_group_is_a_misuse() throws Exception {
    rocketMq.createTopic("orders", 2);
    send("orders", "a", "b", "a");
    Console console = console("orders", "billing");

    assertThat(console.run("audit", "--id", "standard")).as(console.err()).isEqualTo(1);
    assertThat(console.out())
        .containsPattern("messages +3\n")
        .containsPattern("duplicates +1 ")
        .containsPattern("WOULD RUN AGAIN +2\n");
    assertThat(console.run("audit", "--id", "value:/order/id"))
        .as(console.err())
        .isEqualTo(1);
    assertThat(console.out()).contains("  unknown: a at orders-", "  unknown: b at orders-");
    assertThat(console.run("audit", "--id", "value:order")).isEqualTo(2);
    assertThat(console.run("replay", "--id", "standard", "--group", "billing")).isEqualTo(2);
    assertThat(console.err()).contains("group billing does not exist");
  }

  @Test
  void a_topic_of_a_namespace_is_named_without_it(@TempDir Path directory) throws Exception {
    rocketMq.createTopic("one%letters", 1);
    send("one%letters", "a", "b");
    Path config = Files.writeString(directory.resolve("client.properties"), "namespace=one\n");
    Console console = console("letters", "one%billing");

    assertThat(console.run("audit", "--id", "standard")).isEqualTo(2);
    assertThat(console.err()).contains("topic letters does not exist");
    assertThat(console.run("audit", "--id", "standard", "--broker-config", config.toString()))
        .as(console.err())
        .isEqualTo(1);
    assertThat(console.out())
        .containsPattern("messages +2\n")
        .contains("  unknown: letters/a at one%letters-");
  }

  @Test
  void a_redrive_is_dry_at_first_and_then_lets_the_message_run_once() throws Exception {
    rocketMq.createTopic("parcels", 1);
    send("parcels", "poison");
    AtomicBoolean mended = new AtomicBoolean();
    Console console = console("%DLQ%shipping", "shipping");
    Fate fate = new Fate();
    DefaultMQPushConsumer consumer = new DefaultMQPushConsumer("shipping");
    consumer.setNamesrvAddr(rocketMq.nameServer());
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.subscribe("parcels", "*");
    try (DedupStore store =
            RedisDedupStore.builder(RedisURI.create(redis.uri())).build();
        var receiver = IdempotentReceiver.<MessageExt>builder("shipping")
            .id(RocketMqIds.standard())
            .fingerprint(RocketMqFingerprints.body())
            .deadLetters(RocketMqDeadLetterPublisher.of(consumer))
            .listener(fate)
            .leased(store, delivery -> {
              if (!mended.get()) {
                throw new RejectedMessageException("no such address");
              }
              effects.incrementAndGet();
            });
        var service = RocketMqReceiver.start(receiver, consumer)) {
      fate.awaitDeath();
      mended.set(true);

      assertThat(console.run("redrive", "--id", "standard", "--all"))
          .as(console.err())
          .isZero();
      assertThat(console.out())
          .containsPattern("to be published +1\n")
          .contains("to be published: parcels/poison at %DLQ%shipping-")
          .contains("This was a dry run");
      assertThat(effects).hasValue(0);

      assertThat(console.run(
              "redrive", "--id", "standard", "--message", "parcels/poison", "--execute"))
          .as(console.err())
          .isZero();
      fate.awaitDone();
      assertThat(effects).hasValue(1);
      assertThat(console.run(
              "redrive", "--id", "standard", "--message", "parcels/poison", "--execute"))
          .isZero();
      assertThat(console.out()).contains("not dead: parcels/poison at %DLQ%shipping-");
      assertThat(console.run("redrive", "--id", "standard", "--message", "parcels/gone"))
          .isEqualTo(1);
      assertThat(service.trouble()).isEmpty();
    }
  }
}
