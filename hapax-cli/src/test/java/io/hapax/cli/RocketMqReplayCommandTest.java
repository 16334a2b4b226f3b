package io.hapax.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.IdempotentReceiver;
import io.hapax.generation.Generations;
import io.hapax.rocketmq.RocketMqFingerprints;
import io.hapax.rocketmq.RocketMqIds;
import io.hapax.rocketmq.RocketMqReceiver;
import io.hapax.store.DedupStore;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Replays a topic for a stopped group on a real RocketMQ. */
@Tag("nightly")
class RocketMqReplayCommandTest extends RocketMqFixture {

  private static final String GROUP = "freight";
  private static final String TOPIC = "shipments";

  private final Outcomes outcomes = new Outcomes();

  private IdempotentReceiver<MessageExt> receiver(DedupStore store) {
    return IdempotentReceiver.<MessageExt>builder(GROUP)
        .id(RocketMqIds.standard())
        .fingerprint(RocketMqFingerprints.body())
        .listener(outcomes)
        .leased(store, delivery -> effects.incrementAndGet());
  }

  @Test
  void a_replay_is_dry_first_refused_with_a_member_and_then_has_no_effect() throws Exception {
    ROCKET_MQ.createTopic(TOPIC, 1);
    send(TOPIC, "a", "b");
    Console console = console(TOPIC, GROUP);
    String[] dry = {"replay --id standard --group", GROUP};
    String[] real = {"replay --id standard --group", GROUP, "--execute"};
    String[] move = {"generation --group", GROUP, "--expected 0 --execute"};
    try (DedupStore store = store()) {
      try (var receiver = receiver(store);
          var service = RocketMqReceiver.start(receiver, consumer(GROUP, TOPIC))) {
        outcomes.awaitExecuted(2);

        assertThat(console.run(real)).isEqualTo(3);
        assertThat(console.err()).contains("group freight has clients", "Nothing was moved");
        assertThat(console.run(move)).isEqualTo(3);
        assertThat(Generations.current(store, GROUP)).isZero();
        assertThat(service.problems()).isEmpty();
      }
      assertThat(console.run(dry)).as(console.err()).isZero();
      assertThat(console.out())
          .contains("-0: 2 -> 0, end 2", "dry run", "messages delivered again: up to 2")
          .containsPattern("done +2\n");
      assertThat(console.run(real)).as(console.err()).isZero();
      assertThat(console.out()).contains("The group was moved");

      try (var receiver = receiver(store);
          var service = RocketMqReceiver.start(receiver, consumer(GROUP, TOPIC))) {
        outcomes.awaitDuplicates(2);
        assertThat(service.problems()).isEmpty();
      }
      assertThat(effects).as("both came again and had no effect").hasValue(2);
      assertThat(console.run(move)).as(console.err()).isZero();
      assertThat(Generations.current(store, GROUP)).isEqualTo(1);
    }
  }
}
