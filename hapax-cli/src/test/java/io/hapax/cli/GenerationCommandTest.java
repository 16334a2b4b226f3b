package io.hapax.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hapax.IdempotentReceiver;
import io.hapax.generation.Generations;
import io.hapax.kafka.KafkaIds;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/** Moves a consumer's generation on real servers. */
class GenerationCommandTest extends CommandFixture {

  private final Console console = new Console(marks());

  private int generation(String... more) {
    return console.run(Console.with(new String[] {"generation"}, more));
  }

  /** Moves from the first generation, and only if the group is stopped. */
  private String[] asked(String... more) {
    String[] options = {
      "--group", group, "--topic", topic, "--expected 0 --bootstrap", KAFKA.bootstrapServers()
    };
    return Console.with(options, more);
  }

  @Test
  void a_moved_generation_lets_everything_run_again() throws Exception {
    send("a", "b");
    serve(store, 2);

    assertThat(generation()).as(console.err()).isZero();
    assertThat(console.out()).startsWith("consumer billing, generation 0\n");
    assertThat(generation(asked())).as(console.err()).isZero();
    assertThat(console.out()).contains("would be moved to generation 1", "dry run");
    assertThat(Generations.current(store, "billing")).isZero();

    assertThat(generation(asked("--execute", "--json", json())))
        .as(console.err())
        .isZero();
    assertThat(console.out()).contains("It was moved to generation 1");
    assertThat(Generations.current(store, "billing")).isEqualTo(1);
    JsonNode report = report().get("generation");
    assertThat(report.get("answer").asText()).isEqualTo("Moved");
    assertThat(report.get("moved").asBoolean()).isTrue();

    assertThat(generation(asked("--execute"))).isEqualTo(3);
    assertThat(console.out()).contains("Nothing was moved: it is in generation 1 and not in 0");
    assertThat(console(topic)
            .run(
                "replay --id header:order-id --group",
                group,
                "--store",
                redis.uri(),
                "--store-namespace",
                topic,
                "--execute --accept"))
        .isZero();
    serve(store, 2);
    assertThat(effects).hasValue(4);
  }

  @Test
  void a_consumer_at_work_or_a_group_with_members_is_refused() throws Exception {
    send("a");
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch ends = new CountDownLatch(1);
    try (var receiver = IdempotentReceiver.<ConsumerRecord<byte[], byte[]>>builder("billing")
            .id(KafkaIds.header("order-id"))
            .noFingerprint()
            .leased(store, delivery -> {
              begun.countDown();
              ends.await();
            });
        var service = service(receiver)) {
      assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();

      assertThat(generation("--expected 0")).isEqualTo(3);
      assertThat(generation("--expected 0 --execute")).isEqualTo(3);
      assertThat(console.out())
          .contains("Nothing was moved: the consumer is running")
          .contains("  a at " + topic + "-0@0, held by ");
      ends.countDown();
      assertThat(generation(asked("--execute"))).isEqualTo(3);
      assertThat(console.err()).contains("members").contains("Nothing was moved");
      assertThat(Generations.current(store, "billing")).isZero();
      assertThat(service.problems()).isEmpty();
    }
  }

  @Test
  void what_is_not_said_is_not_guessed() {
    assertThat(generation("--execute")).isEqualTo(2);
    assertThat(generation("--expected 0 --group", group)).isEqualTo(2);
    assertThat(console.err()).contains("--execute needs --expected N", "--topic");
    assertThat(console.err()).hasLineCount(2);
    assertThat(generation(asked("--execute"))).as("there is no such group").isEqualTo(2);
    assertThat(console.err()).contains("group " + group + " does not exist");
  }
}
