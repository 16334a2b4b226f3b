package io.hapax.rocketmq;

import io.hapax.IdempotentReceiver;
import io.hapax.LeaseSettings;
import io.hapax.ReceiverListener;
import io.hapax.adapter.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.MessageExt;

/**
 * The main class of a JVM whose handler waits for a byte from whoever started it. It prints a dot
 * when the handler starts, and then a letter for the outcome: D for done, L for a lost lease, ? for
 * any other.
 */
final class SlowConsumerJvm {

  private SlowConsumerJvm() {}

  public static void main(String[] args) throws Exception {
    DefaultMQPushConsumer consumer = new DefaultMQPushConsumer(args[2]);
    consumer.setNamesrvAddr(args[0]);
    consumer.setHeartbeatBrokerInterval(1_000);
    consumer.setPollNameServerInterval(1_000);
    consumer.setMqClientApiTimeout(20_000); // a loaded machine is slow
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.subscribe(args[1], "*");
    CountDownLatch goOn = new CountDownLatch(1);
    IdempotentReceiver<MessageExt> receiver = IdempotentReceiver.<MessageExt>builder(args[2])
        .id(RocketMqIds.standard())
        .fingerprint(RocketMqFingerprints.body())
        .lease(LeaseSettings.of(Duration.ofSeconds(3)))
        .listener(new ReceiverListener() {
          @Override
          public void onOutcome(String coordinates, Outcome outcome) {
            print(letter(outcome));
          }
        })
        .leased(new Marks(args[3], args[4], args[5]).store(), delivery -> {
          print(".");
          goOn.await();
        });
    var unused = RocketMqReceiver.start(receiver, consumer);
    while (System.in.read() >= 0) {
      goOn.countDown();
    }
    Runtime.getRuntime().halt(0);
  }

  private static String letter(Outcome outcome) {
    if (outcome instanceof Outcome.Executed) {
      return "D";
    }
    return outcome instanceof Outcome.Deferred deferred
            && deferred.reason() == Outcome.Reason.LEASE_LOST
        ? "L"
        : "?";
  }

  private static void print(String text) {
    System.out.print(text);
    System.out.flush();
  }

  static Process start(String... args) throws IOException {
    List<String> command = new ArrayList<>(ConsumerJvm.java());
    command.add(SlowConsumerJvm.class.getName());
    command.addAll(List.of(args));
    return new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  /** A signal by the name that {@code kill} has for it. */
  static void signal(Process process, String name) throws Exception {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
        .inheritIO()
        .start()
        .waitFor();
  }
}
