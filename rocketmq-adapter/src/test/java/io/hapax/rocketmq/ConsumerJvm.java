package io.hapax.rocketmq;

import io.hapax.IdempotentReceiver;
import io.hapax.LeaseSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.MessageExt;

/**
 * The main class of a JVM that consumes until it is killed, or until its parent process ends. It
 * prints a dot for each message that its handler has taken, just before the commit that settles it:
 * a test that kills it at a dot does not know whether that message is done.
 */
final class ConsumerJvm {

  private ConsumerJvm() {}

  public static void main(String[] args) throws Exception {
    Shop shop = new Shop(Path.of(args[3]));
    IdempotentReceiver<MessageExt> receiver = IdempotentReceiver.<MessageExt>builder(args[2])
        .id(RocketMqIds.standard())
        .fingerprint(RocketMqFingerprints.body())
        .lease(LeaseSettings.of(Duration.ofSeconds(3))) // for which its successor waits
        .transactional(shop.marks(), (connection, deliveries) -> {
          Shop.handler().handle(connection, deliveries);
          System.out.print(".".repeat(deliveries.size()));
          System.out.flush();
        });
    if (args[4].equals("pull")) {
      pull(args, receiver);
    } else {
      push(args, receiver);
    }
    awaitEndOfParent();
    Runtime.getRuntime().halt(0);
  }

  private static void push(String[] args, IdempotentReceiver<MessageExt> receiver)
      throws MQClientException {
    DefaultMQPushConsumer consumer = client(args, new DefaultMQPushConsumer(args[2]));
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.subscribe(args[1], "*");
    var unused = RocketMqReceiver.start(receiver, consumer);
  }

  private static void pull(String[] args, IdempotentReceiver<MessageExt> receiver)
      throws MQClientException {
    DefaultLitePullConsumer consumer = client(args, new DefaultLitePullConsumer(args[2]));
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.setAutoCommit(false);
    var unused = RocketMqPullReceiver.builder(receiver, consumer)
        .subscribe(args[1], "*")
        .window(10)
        .start();
  }

  static <C extends ClientConfig> C client(String[] args, C client) {
    client.setNamesrvAddr(args[0]);
    client.setHeartbeatBrokerInterval(1_000); // the test's broker takes a silent one for dead
    client.setPollNameServerInterval(1_000);
    client.setMqClientApiTimeout(20_000); // a loaded machine is slow
    client.setPersistConsumerOffsetInterval(3_600_000); // so that the kill comes before it
    return client;
  }

  static void awaitEndOfParent() throws IOException {
    while (System.in.read() >= 0) {
      // the parent writes nothing
    }
  }

  /** Where it says why it ended by itself. */
  static Path errors(Path shop) {
    return shop.resolve("consumer.err");
  }

  static Process start(String nameServer, String topic, String group, Path shop)
      throws IOException {
    return start(shop, nameServer, topic, group, "push");
  }

  static Process startPulling(String nameServer, String topic, String group, Path shop)
      throws IOException {
    return start(shop, nameServer, topic, group, "pull");
  }

  private static Process start(
      Path shop, String nameServer, String topic, String group, String kind) throws IOException {
    List<String> command = new ArrayList<>(java());
    command.add(ConsumerJvm.class.getName());
    command.addAll(List.of(nameServer, topic, group, shop.toString(), kind));
    return new ProcessBuilder(command).redirectError(errors(shop).toFile()).start();
  }

  /** A JVM of this test's kind, whose main class is still to be said. */
  static List<String> java() {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-Drocketmq.client.rebalance.waitInterval=1000",
        "-Drocketmq.client.rebalance.minInterval=200",
        "-Drocketmq.log.root=" + System.getProperty("rocketmq.log.root", "target/rocketmqlogs"),
        "-cp",
        System.getProperty("java.class.path"));
  }
}
