package io.hapax.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.IdempotentReceiver;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.rocketmq.RocketMqFingerprints;
import io.hapax.rocketmq.RocketMqIds;
import io.hapax.rocketmq.RocketMqReceiver;
import io.hapax.store.DedupStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Reads the message of a stale mark from a real RocketMQ and publishes it again. */
@Tag("nightly")
class RocketMqStaleCommandTest extends RocketMqFixture {

  private static final String GROUP = "billing-of-late";
  private static final String TOPIC = "late-orders";

  private final Console console =
      new Console("--consumer", GROUP, "--store", REDIS.uri(), "--limit 50");

  private int stale(String message, String... more) {
    String[] typed = {
      "stale --broker rocketmq --bootstrap",
      ROCKET_MQ.nameServer(),
      "--id standard --message",
      TOPIC + "/" + message
    };
    String[] all = new String[typed.length + more.length];
    System.arraycopy(typed, 0, all, 0, typed.length);
    System.arraycopy(more, 0, all, typed.length, more.length);
    return console.run(all);
  }

  /** Claims a message as a consumer that has vanished. */
  private static void claimed(DedupStore store, String id, String coordinates) {
    store.claim(
        List.of(new ClaimRequest(
            MessageKey.of(GROUP, TOPIC + "/" + id),
            new Nonce(7, id.hashCode()),
            Fingerprint.NONE,
            new Origin("shop-7-4711/billing", coordinates),
            new ClaimTerms(false, true, ClaimTerms.ANY_TIME))),
        Duration.ofMillis(1));
  }

  @Test
  void the_redelivered_message_of_a_stale_mark_takes_it_over() throws Exception {
    ROCKET_MQ.createTopic(TOPIC, 1);
    send(TOPIC, "lost", "another");
    Outcomes outcomes = new Outcomes();
    List<String> ran = new CopyOnWriteArrayList<>();
    try (DedupStore store = store();
        var receiver = IdempotentReceiver.<MessageExt>builder(GROUP)
            .id(RocketMqIds.standard())
            .fingerprint(RocketMqFingerprints.body())
            .listener(outcomes)
            .leased(store, delivery -> ran.add(delivery.message().getKeys()))) {
      claimed(store, "lost", TOPIC + "-local-0@0");
      claimed(store, "wrong", TOPIC + "-local-0@1");
      claimed(store, "gone", TOPIC + "-local-0@9");
      claimed(store, "elsewhere", TOPIC + "/7F0000010C");

      assertThat(console.run("stale")).as(console.err()).isEqualTo(1);
      assertThat(console.out())
          .contains("  " + TOPIC + "/lost at " + TOPIC + "-local-0@0, claimed");
      assertThat(stale("wrong", "--execute")).as(console.err()).isEqualTo(3);
      assertThat(console.out()).contains("is another one: " + TOPIC + "/another");
      assertThat(stale("gone", "--execute")).as(console.err()).isEqualTo(3);
      assertThat(stale("elsewhere", "--execute")).as(console.err()).isEqualTo(3);
      assertThat(console.out())
          .contains("-local-0@9 any more", "7F0000010C, which is not the place of a message");
      assertThat(stale("lost")).as(console.err()).isZero();
      assertThat(console.out()).contains("lost would be published again");
      assertThat(stale("lost", "--execute")).as(console.err()).isZero();

      try (var service = RocketMqReceiver.start(receiver, consumer(GROUP, TOPIC))) {
        outcomes.awaitExecuted(2);
        outcomes.awaitDuplicates(1);
        assertThat(service.problems()).isEmpty();
      }
    }
    assertThat(ran).as("one of three was known").containsExactlyInAnyOrder("lost", "another");
  }
}
