package io.hapax.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.IdempotentReceiver;
import io.hapax.errors.RejectedMessageException;
import io.hapax.rocketmq.RocketMqDeadLetterPublisher;
import io.hapax.rocketmq.RocketMqFingerprints;
import io.hapax.rocketmq.RocketMqIds;
import io.hapax.rocketmq.RocketMqReceiver;
import io.hapax.store.DedupStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the commands on a real RocketMQ. */
class RocketMqCommandTest extends RocketMqFixture {

  @Test
  void an_audit_counts_and_a_replay_of_an_unknown_group_is_a_misuse() throws Exception {
    ROCKET_MQ.createTopic("orders", 2);
    send("orders", "a", "b", "a");
    Console console = console("orders", "billing");

    assertThat(console.run("audit --id standard")).as(console.err()).isEqualTo(3);
    assertThat(console.out())
        .containsPattern("messages +3\n")
        .containsPattern("duplicates +1 ")
        .containsPattern("WOULD RUN AGAIN +2\n");
    assertThat(console.run("audit --id value:/order/id")).as(console.err()).isEqualTo(3);
    assertThat(console.out()).contains("  unknown: a at orders-", "  unknown: b at orders-");
    assertThat(console.run("audit --id header:orderid")).isEqualTo(3);
    assertThat(console.err()).contains("3 of 3 messages have no id", "the properties ", "KEYS");
    assertThat(console.run("audit --id value:order")).isEqualTo(2);
    assertThat(console.run("replay --id standard --group billing")).isEqualTo(2);
    assertThat(console.err()).contains("group billing does not exist");
  }

  @Test
  void a_topic_of_a_namespace_is_named_without_it(@TempDir Path directory) throws Exception {
    ROCKET_MQ.createTopic("one%letters", 1);
    send("one%letters", "a", "b");
    Path config = Files.writeString(directory.resolve("client.properties"), "namespace=one\n");
    Console console = console("letters", "one%billing");

    assertThat(console.run("audit --id standard")).isEqualTo(2);
    assertThat(console.err()).contains("topic letters does not exist");
    assertThat(console.run("audit --id standard --broker-config", config.toString()))
        .as(console.err())
        .isEqualTo(3);
    assertThat(console.out())
        .containsPattern("messages +2\n")
        .contains("  unknown: letters/a at one%letters-");
  }

  @Test
  void a_redrive_is_dry_at_first_and_then_lets_the_message_run_once() throws Exception {
    ROCKET_MQ.createTopic("parcels", 1);
    send("parcels", "poison");
    AtomicBoolean mended = new AtomicBoolean();
    Console console = console("%DLQ%shipping", "shipping");
    OutcomeLatch outcome = new OutcomeLatch();
    DefaultMQPushConsumer consumer = consumer("shipping", "parcels");
    try (DedupStore store = store();
        var receiver = IdempotentReceiver.<MessageExt>builder("shipping")
            .id(RocketMqIds.standard())
            .fingerprint(RocketMqFingerprints.body())
            .deadLetters(RocketMqDeadLetterPublisher.of(consumer))
            .listener(outcome)
            .leased(store, delivery -> {
              if (!mended.get()) {
                throw new RejectedMessageException("no such address");
              }
              effects.incrementAndGet();
            });
        var service = RocketMqReceiver.start(receiver, consumer)) {
      outcome.awaitDeath();
      mended.set(true);

      assertThat(console.run("redrive --id standard --all --to parcels"))
          .as(console.err())
          .isZero();
      assertThat(console.out())
          .containsPattern("to be published +1\n")
          .containsPattern("to be published: parcels/poison at %DLQ%shipping-\\S+, \\d+ s old")
          .contains("This was a dry run");
      assertThat(effects).hasValue(0);
      assertThat(console.run("redrive --id standard --all --to elsewhere --execute"))
          .isEqualTo(1);
      assertThat(console.out())
          .contains("it came from topic parcels, but only elsewhere may be published to");
      String[] unmarked = {"redrive --id standard --all --to parcels --store-namespace empty"};
      assertThat(console.run(unmarked)).isEqualTo(1);
      assertThat(console.out()).contains("there is no mark of it in this store (unmarked");

      assertThat(
              console.run("redrive --id standard --message parcels/poison --to parcels --execute"))
          .as(console.err())
          .isZero();
      outcome.awaitDone();
      assertThat(effects).hasValue(1);
      assertThat(
              console.run("redrive --id standard --message parcels/poison --to parcels --execute"))
          .isZero();
      assertThat(console.out()).contains("not dead: parcels/poison at %DLQ%shipping-");
      assertThat(console.run("redrive --id standard --message parcels/gone --to parcels"))
          .isEqualTo(1);
      assertThat(service.problems()).isEmpty();
    }
  }
}
