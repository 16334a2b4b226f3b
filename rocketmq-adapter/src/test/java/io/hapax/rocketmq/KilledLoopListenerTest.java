package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.ReceiverListener;
import io.hapax.adapter.Outcome;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.MessageKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a wrapped listener with a loop repeats after its process was killed. */
@Timeout(300)
@Order(1) // of the longest, so that it does not begin last
class KilledLoopListenerTest extends WithConsumers {

  private static final List<String> WITH_EFFECT =
      List.of("a", "b", "once", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l");

  /** Effects at the kill: of handlers that have returned, and of those in flight. */
  private static final int MOST_EFFECTS = LoopListenerJvm.RETURNING + LoopListenerJvm.WORKERS;

  /** A loaded machine is slow. */
  private static final Duration START_OF_A_JVM = Duration.ofMinutes(2);

  @TempDir
  private Path directory;

  private final Set<String> takenOver = ConcurrentHashMap.newKeySet();
  private final Set<String> deadLettered = ConcurrentHashMap.newKeySet();
  private final Set<String> settled = ConcurrentHashMap.newKeySet();

  @Test
  @DisplayName("invariant 9: each repeat after a SIGKILL is a counted takeover, within the bound")
  void repeats_of_a_killed_loop_are_counted_and_bounded_by_workers() throws Exception {
    createTopic(1);
    sendAll();

    String said = killWhileHandlersRun();
    try (Shop shop = new Shop(directory)) {
      List<String> before = shop.written();
      takeOver(shop);

      List<String> repeated = new ArrayList<>(shop.written());
      WITH_EFFECT.forEach(repeated::remove); // the first effect of each
      assertThat(shop.written()).containsAll(WITH_EFFECT).doesNotContain("never");
      assertThat(deadLettered).containsExactly("never");
      assertThat(repeated).as("repeats, so that there was something to explain").isNotEmpty();
      assertThat(takenOver).containsAll(repeated);
      assertThat(before).containsAll(repeated).doesNotHaveDuplicates();
      assertThat(repeated)
          .doesNotHaveDuplicates()
          .hasSizeLessThanOrEqualTo(MOST_EFFECTS - count(said, '+'));
    }
  }

  private void sendAll() throws Exception {
    send("a", "never", "b", "once", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l");
  }

  /** Returns what the process printed until it was killed while handlers ran. */
  private String killWhileHandlersRun() throws Exception {
    Process child = LoopListenerJvm.start(nameServer(), topic, group, directory);
    try {
      await()
          .atMost(START_OF_A_JVM)
          .until(() -> count(said(), '.') > LoopListenerJvm.RETURNING || !child.isAlive());
    } finally {
      child.destroyForcibly().waitFor();
    }
    assertThat(count(said(), '.'))
        .as(Files.readString(ConsumerJvm.errors(directory)))
        .isBetween(LoopListenerJvm.RETURNING + 1, MOST_EFFECTS);
    return said();
  }

  private String said() throws IOException {
    return Files.readString(LoopListenerJvm.output(directory));
  }

  /** Consumes in this process until every message is acknowledged. */
  private void takeOver(Shop shop) throws Exception {
    DefaultMQPushConsumer consumer = consumer();
    try (IdempotentConcurrentListener listener = LoopListenerJvm.wrap(
        consumer,
        shop,
        new LoopListener(shop, () -> {}, Integer.MAX_VALUE),
        Duration.ofSeconds(30), // it is not lost on a loaded machine
        new Events())) {
      consumer.registerMessageListener(listener);
      consumer.start();
      try {
        await().until(() -> settled.size() == WITH_EFFECT.size() + 1);
      } finally {
        consumer.shutdown();
      }
    }
  }

  private static int count(String said, char sign) {
    return (int) said.chars().filter(it -> it == sign).count();
  }

  /** Keeps which message was taken over and which has its last outcome. */
  private final class Events implements ReceiverListener {

    @Override
    public void onRecovery(MessageKey key, ClaimAnswer.Acquired acquired) {
      takenOver.add(body(key));
    }

    @Override
    public void onOutcome(MessageKey key, String coordinates, Outcome outcome) {
      if (outcome instanceof Outcome.DeadLettered) {
        deadLettered.add(body(key));
      }
      if (outcome.mayAcknowledge()) {
        settled.add(body(key));
      }
    }

    private String body(MessageKey key) {
      return new String(key.id().toByteArray(), StandardCharsets.UTF_8)
          .substring(topic.length() + 1);
    }
  }
}
