package io.hapax.rocketmq;

import io.hapax.IdempotentReceiver;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.MessageExt;

/**
 * The main class of a JVM that consumes until it is killed, or until whoever started it is gone. It
 * prints a dot for each message that it has settled.
 */
final class ConsumerJvm {

  private ConsumerJvm() {}

  public static void main(String[] args) throws Exception {
    Shop shop = new Shop(Path.of(args[3]));
    DefaultMQPushConsumer consumer = new DefaultMQPushConsumer(args[2]);
    consumer.setNamesrvAddr(args[0]);
    consumer.setHeartbeatBrokerInterval(1_000); // the test's broker takes a silent one for dead
    consumer.setPollNameServerInterval(1_000);
    consumer.setPersistConsumerOffsetInterval(3_600_000); // so that the kill comes before it
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.subscribe(args[1], "*");
    IdempotentReceiver<MessageExt> receiver = IdempotentReceiver.<MessageExt>builder(args[2])
        .id(RocketMqIds.standard())
        .fingerprint(RocketMqFingerprints.body())
        .transactional(shop.marks(), (connection, deliveries) -> {
          Shop.handler().handle(connection, deliveries);
          System.out.print(".".repeat(deliveries.size()));
          System.out.flush();
        });
    var unused = RocketMqReceiver.start(receiver, consumer);
    awaitEndOfParent();
    Runtime.getRuntime().halt(0);
  }

  private static void awaitEndOfParent() throws IOException {
    while (System.in.read() >= 0) {
      // nobody writes
    }
  }

  static Process start(String nameServer, String topic, String group, Path shop)
      throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-Drocketmq.client.rebalance.waitInterval=1000",
            "-Drocketmq.client.rebalance.minInterval=200",
            "-Drocketmq.log.root=" + System.getProperty("rocketmq.log.root", "target/rocketmqlogs"),
            "-cp",
            System.getProperty("java.class.path"),
            ConsumerJvm.class.getName(),
            nameServer,
            topic,
            group,
            shop.toString())
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }
}
