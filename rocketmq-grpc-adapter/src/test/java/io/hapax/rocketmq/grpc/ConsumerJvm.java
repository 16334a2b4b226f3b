package io.hapax.rocketmq.grpc;

import io.hapax.IdempotentReceiver;
import io.hapax.LeaseSettings;
import io.hapax.ReceiverListener;
import io.hapax.adapter.Outcome;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.rocketmq.client.apis.ClientConfiguration;
import org.apache.rocketmq.client.apis.ClientException;
import org.apache.rocketmq.client.apis.ClientServiceProvider;
import org.apache.rocketmq.client.apis.consumer.FilterExpression;
import org.apache.rocketmq.client.apis.consumer.SimpleConsumer;
import org.apache.rocketmq.client.apis.message.MessageView;

/**
 * The main class of a JVM that consumes until it is killed, or until whoever started it is gone. It
 * prints a dot for each message that is settled. Its acknowledgements never reach the proxy, so it
 * has four messages in hand and takes no more.
 */
final class ConsumerJvm {

  static final int IN_HAND = 4;

  private ConsumerJvm() {}

  public static void main(String[] args) throws Exception {
    Shop shop = new Shop(Path.of(args[3]));
    IdempotentReceiver<MessageView> receiver = IdempotentReceiver.<MessageView>builder(args[2])
        .id(RocketMqGrpcIds.standard())
        .fingerprint(RocketMqGrpcFingerprints.body())
        .lease(LeaseSettings.of(Duration.ofSeconds(2))) // for which its successor waits
        .listener(new ReceiverListener() {
          @Override
          public void onOutcome(String coordinates, Outcome outcome) {
            if (outcome instanceof Outcome.Executed) { // and not what a slow machine had to put off
              System.out.print('.');
              System.out.flush();
            }
          }
        })
        .transactional(shop.marks(), Shop.handler());
    var unused = RocketMqGrpcReceiver.builder(receiver, mute(consumer(args)))
        .shortestInvisible(Duration.ofSeconds(1))
        .window(IN_HAND)
        .start();
    while (System.in.read() >= 0) {
      // nobody writes
    }
    Runtime.getRuntime().halt(0);
  }

  private static SimpleConsumer consumer(String[] args) throws ClientException {
    return ClientServiceProvider.loadService()
        .newSimpleConsumerBuilder()
        .setClientConfiguration(ClientConfiguration.newBuilder()
            .setEndpoints(args[0])
            .enableSsl(false)
            .setRequestTimeout(Duration.ofSeconds(60)) // a loaded machine is slow
            .build())
        .setConsumerGroup(args[2])
        .setAwaitDuration(Duration.ofMillis(2_500))
        .setSubscriptionExpressions(Map.of(args[1], FilterExpression.SUB_ALL))
        .build();
  }

  private static SimpleConsumer mute(SimpleConsumer consumer) {
    return (SimpleConsumer) Proxy.newProxyInstance(
        ConsumerJvm.class.getClassLoader(),
        new Class<?>[] {SimpleConsumer.class},
        (self, method, arguments) -> method.getName().equals("ackAsync")
            ? new CompletableFuture<Void>()
            : method.invoke(consumer, arguments));
  }

  /** Where it says why it could not. */
  static Path errors(Path shop) {
    return shop.resolve("consumer.err");
  }

  static Process start(String endpoints, String topic, String group, Path shop) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-Drocketmq.log.root=" + System.getProperty("rocketmq.log.root", "target/rocketmqlogs"),
            "-cp",
            System.getProperty("java.class.path"),
            ConsumerJvm.class.getName(),
            endpoints,
            topic,
            group,
            shop.toString())
        .redirectError(errors(shop).toFile())
        .start();
  }
}
