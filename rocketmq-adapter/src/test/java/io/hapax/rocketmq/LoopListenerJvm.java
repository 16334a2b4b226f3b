package io.hapax.rocketmq;

import io.hapax.LeaseSettings;
import io.hapax.ReceiverListener;
import io.hapax.RetrySettings;
import io.hapax.adapter.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;

/**
 * The main class of a JVM with a wrapped {@link LoopListener}, which runs until it is killed or its
 * parent ends. It prints a dot for each effect and a plus for each message whose DONE mark is
 * stored. The first {@link #RETURNING} handlers with an effect return, all others wait for the
 * kill.
 */
final class LoopListenerJvm {

  static final int WORKERS = 4;
  static final int RETURNING = 4;

  private LoopListenerJvm() {}

  public static void main(String[] args) throws Exception {
    Shop shop = new Shop(Path.of(args[3]));
    DefaultMQPushConsumer consumer = ConsumerJvm.client(args, new DefaultMQPushConsumer(args[2]));
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.subscribe(args[1], WithConsumers.ALL);
    consumer.registerMessageListener(wrap(
        consumer,
        shop,
        new LoopListener(shop, () -> print("."), RETURNING),
        Duration.ofSeconds(3), // for which its successor waits
        new ReceiverListener() {
          @Override
          public void onOutcome(String coordinates, Outcome outcome) {
            if (outcome instanceof Outcome.Executed) {
              print("+");
            }
          }
        }));
    consumer.start();
    ConsumerJvm.awaitEndOfParent();
    Runtime.getRuntime().halt(0);
  }

  /** Wraps the listener with the shop's marks and as many workers as a test of it counts on. */
  static IdempotentConcurrentListener wrap(
      DefaultMQPushConsumer consumer,
      Shop shop,
      LoopListener listener,
      Duration lease,
      ReceiverListener events) {
    consumer.setConsumeThreadMin(WORKERS);
    consumer.setConsumeThreadMax(WORKERS);
    return IdempotentConcurrentListener.wrap(
        consumer,
        shop.marks(),
        listener,
        settings -> settings.receiver(receiver -> receiver
            .lease(LeaseSettings.of(lease))
            .retry(new RetrySettings(4, Duration.ofMillis(100), Duration.ofMillis(100)))
            .listener(events)));
  }

  private static void print(String text) {
    System.out.print(text);
    System.out.flush();
  }

  static Process start(String nameServer, String topic, String group, Path shop) throws Exception {
    List<String> command = new ArrayList<>(ConsumerJvm.java());
    command.add(LoopListenerJvm.class.getName());
    command.addAll(List.of(nameServer, topic, group, shop.toString()));
    return new ProcessBuilder(command)
        .redirectOutput(output(shop).toFile())
        .redirectError(ConsumerJvm.errors(shop).toFile())
        .start();
  }

  /** The file that it prints to. */
  static Path output(Path shop) {
    return shop.resolve("consumer.out");
  }
}
