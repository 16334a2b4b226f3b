package io.hapax.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hapax.Delivery;
import io.hapax.IdempotentReceiver;
import io.hapax.kafka.KafkaIds;
import io.hapax.kafka.KafkaReceiver;
import io.hapax.mark.MarkState;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Lists and handles stale marks on real servers. */
class StaleCommandTest extends CommandFixture {

  private static final Duration OVER_AT_ONCE = Duration.ofMillis(1);
  private static final Duration ALIVE = Duration.ofHours(1);

  private final Console console = new Console(marks());

  private int stale(String... more) {
    return console.run(Console.with(new String[] {"stale"}, more));
  }

  private int stale(String message, boolean execute) {
    return stale(
        "--message",
        message,
        "--id header:order-id --bootstrap",
        KAFKA.bootstrapServers() + (execute ? " --execute" : ""));
  }

  /** Moves the group past the message, as after a manual skip. */
  private void skipTo(long offset) {
    try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(consumer())) {
      TopicPartition partition = new TopicPartition(topic, 0);
      consumer.assign(List.of(partition));
      consumer.commitSync(Map.of(partition, new OffsetAndMetadata(offset)));
    }
  }

  @Test
  void the_redelivered_message_of_a_stale_mark_takes_it_over() throws Exception {
    send("lost", "next");
    claimed("lost", 0, OVER_AT_ONCE);
    skipTo(2);
    OutcomeLatch outcome = new OutcomeLatch();
    List<ConsumerRecord<byte[], byte[]>> delivered = new CopyOnWriteArrayList<>();
    List<Boolean> recovered = new CopyOnWriteArrayList<>();
    var receiver = IdempotentReceiver.<ConsumerRecord<byte[], byte[]>>builder("billing")
        .id(KafkaIds.header("order-id"))
        .noFingerprint()
        .listener(outcome)
        .leased(store, (Delivery<ConsumerRecord<byte[], byte[]>> delivery) -> {
          recovered.add(delivery.recovery());
          delivered.add(delivery.message());
        });
    try (receiver;
        var service = KafkaReceiver.start(receiver, consumer(), List.of(topic))) {
      assertThat(stale()).as(console.err()).isEqualTo(1);
      assertThat(console.out())
          .contains("stale: 1\n  lost at " + topic + "-0@0, claimed ")
          .contains(" s ago by shop-7-4711/billing, attempt 1");
      assertThat(stale("lost", false)).as(console.err()).isZero();
      assertThat(console.out()).contains("lost would be published again", "dry run");
      assertThat(delivered).isEmpty();

      assertThat(stale("lost", true)).as(console.err()).isZero();
      assertThat(console.out())
          .contains("lost was published again: the next delivery takes its mark over.");
      outcome.awaitDone();
      assertThat(service.problems()).isEmpty();
    }

    assertThat(recovered).containsExactly(true);
    ConsumerRecord<byte[], byte[]> again = delivered.get(0);
    assertThat(again.offset()).isEqualTo(2);
    assertThat(again.key()).asString(StandardCharsets.UTF_8).isEqualTo("customer");
    assertThat(again.value()).asString(StandardCharsets.UTF_8).contains("\"id\":\"lost\"");
    assertThat(again.headers()).hasSize(1);
    assertThat(state("lost")).isEqualTo(MarkState.DONE);
    assertThat(stale("--accept-none")).as("it is settled").isZero();
  }

  @Test
  void what_is_held_or_gone_or_another_message_is_refused() throws Exception {
    send("held", "another");
    claimed("held", 0, ALIVE);
    claimed("gone", 7, OVER_AT_ONCE);
    claimed("lost", 1, OVER_AT_ONCE);

    assertThat(stale("held", true)).as(console.err()).isEqualTo(3);
    assertThat(console.out()).contains("held: its mark is not stale: shop-7-4711/billing holds it");
    assertThat(stale("gone", true)).as(console.err()).isEqualTo(3);
    assertThat(console.out()).contains("there is no message at " + topic + "-0@7 any more");
    assertThat(stale("lost", true)).as(console.err()).isEqualTo(3);
    assertThat(console.out()).contains("the message at " + topic + "-0@1 is another one: another");
    assertThat(stale("unknown", true)).as(console.err()).isEqualTo(3);

    assertThat(end()).as("nothing was published").isEqualTo(2);
  }

  private long end() {
    try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(consumer())) {
      TopicPartition partition = new TopicPartition(topic, 0);
      return consumer.endOffsets(List.of(partition)).getOrDefault(partition, -1L);
    }
  }

  @Test
  void a_decision_is_dry_at_first_and_then_ends_the_mark() throws Exception {
    claimed("charged", 0, OVER_AT_ONCE);
    claimed("held", 1, ALIVE);

    assertThat(stale("--message charged --resolve force_done")).isZero();
    assertThat(console.out()).contains("charged would be marked as done", "dry run");
    assertThat(state("charged")).isEqualTo(MarkState.PROCESSING);
    assertThat(stale("--message held --resolve reopen --execute")).isEqualTo(3);
    assertThat(stale("--message charged --resolve force_done --execute --json", json()))
        .as(console.err())
        .isZero();

    assertThat(state("charged")).isEqualTo(MarkState.DONE);
    assertThat(report().at("/message/executed").asBoolean()).isTrue();
  }

  private int resolve(String id, String decision, String... more) {
    String[] command = {"--message", id, "--resolve", decision, "--execute"};
    return stale(Console.with(command, more));
  }

  @Test
  void a_lease_that_is_alive_is_broken_by_force() {
    claimed("held", 0, ALIVE);

    assertThat(resolve("held", "reopen")).isEqualTo(3);
    assertThat(stale("--message held --resolve reopen --force")).isZero();
    assertThat(console.out()).contains("held would be reopened", "dry run");
    assertThat(state("held")).isEqualTo(MarkState.PROCESSING);
    assertThat(resolve("held", "reopen", "--force")).as(console.err()).isZero();

    assertThat(state("held")).isEqualTo(MarkState.RETRY);
    assertThat(stale("--help")).isZero();
    assertThat(console.out()).contains("MAY HAPPEN TWICE", "WITHOUT RUNNING");
  }

  @Test
  void every_kind_is_listed_up_to_a_limit() throws Exception {
    claimed("a", 0, OVER_AT_ONCE);
    claimed("b", 1, OVER_AT_ONCE);
    claimed("held", 2, ALIVE);

    assertThat(stale("--kind stale,in_doubt,dead --json", json())).isEqualTo(1);
    assertThat(console.out()).contains("stale: 2\n", "in doubt: ", "dead: 0\n");
    JsonNode marks = report().at("/marks/stale");
    assertThat(marks.get("complete").asBoolean()).isTrue();
    assertThat(marks.get("marks").findValuesAsText("id")).containsExactlyInAnyOrder("a", "b");
    assertThat(marks.get("marks").findValuesAsText("coordinates")).contains(topic + "-0@1");
    assertThat(stale("--limit 1")).isEqualTo(1);
    assertThat(console.out()).contains("stale: 2, the first 1 of them (--limit)\n");
  }

  @Test
  void what_is_not_said_is_not_guessed() {
    assertThat(stale("--execute")).isEqualTo(2);
    assertThat(stale("--message a")).isEqualTo(2);
    assertThat(stale("--message a --id key")).isEqualTo(2);
    assertThat(stale("--limit 0")).isEqualTo(2);
    assertThat(stale("--message a --force")).isEqualTo(2);
    assertThat(console.err())
        .contains("need --message ID", "--resolve", "--bootstrap", "--limit", "--force");
    assertThat(console.err()).hasLineCount(5);
  }
}
