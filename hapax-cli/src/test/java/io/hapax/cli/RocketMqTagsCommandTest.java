package io.hapax.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.hapax.IdempotentReceiver;
import io.hapax.rocketmq.RocketMqFingerprints;
import io.hapax.rocketmq.RocketMqIds;
import io.hapax.rocketmq.RocketMqReceiver;
import io.hapax.store.DedupStore;
import java.nio.file.Path;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands for a consumer that subscribes to some tags, on a real RocketMQ. */
class RocketMqTagsCommandTest extends RocketMqFixture {

  private static final String GROUP = "invoicing";
  private static final String TOPIC = "invoices";
  private static final String TAGS = "paid || refunded";

  private final Console console = console(TOPIC, GROUP);
  private final Outcomes outcomes = new Outcomes();

  @TempDir
  private Path folder;

  /** Has a consumer of the tags handle so many messages, and stops it. */
  private void serve(int messages) throws Exception {
    DefaultMQPushConsumer consumer = consumer(GROUP, TOPIC);
    consumer.subscribe(TOPIC, TAGS);
    try (DedupStore store = store();
        var receiver = IdempotentReceiver.<MessageExt>builder(GROUP)
            .id(RocketMqIds.standard())
            .fingerprint(RocketMqFingerprints.body())
            .listener(outcomes)
            .leased(store, delivery -> effects.incrementAndGet());
        var service = RocketMqReceiver.start(receiver, consumer)) {
      outcomes.awaitExecuted(messages);
      assertThat(service.trouble()).isEmpty();
    }
  }

  @Test
  void with_its_tags_a_consumer_is_settled_and_moved_without_being_told_to_accept()
      throws Exception {
    ROCKET_MQ.createTopic(TOPIC, 1);
    sendTagged(TOPIC, "draft", "a", "b");
    sendTagged(TOPIC, "paid", "c");
    serve(1);
    Path json = folder.resolve("report.json");

    assertThat(console.run("audit", "--id", "standard")).as(console.err()).isEqualTo(1);
    assertThat(console.out()).containsPattern("WOULD RUN AGAIN +2\n").doesNotContain("left out");
    assertThat(console.run("replay", "--id", "standard", "--group", GROUP, "--execute"))
        .as(console.err())
        .isEqualTo(1);
    assertThat(console.out()).contains("Nothing was moved").doesNotContain("The group was moved");

    assertThat(console.run("audit", "--id", "standard", "--tags", TAGS, "--json", json.toString()))
        .as(console.err())
        .isZero();
    assertThat(console.out())
        .containsPattern("messages +1\n")
        .containsPattern("left out +2  of other tags");
    assertThat(new JsonMapper().readTree(json.toFile()).at("/audit/leftOut").asLong())
        .isEqualTo(2);
    assertThat(console.run(
            "replay", "--id", "standard", "--group", GROUP, "--tags", TAGS, "--execute"))
        .as(console.err())
        .isZero();
    assertThat(console.out()).contains("The group was moved");
  }

  @Test
  void an_expression_of_sql_is_refused_with_the_rule() {
    assertThat(console.run("audit", "--id", "standard", "--tags", "amount > 5")).isEqualTo(2);
    assertThat(console.err())
        .startsWith("hapax: tags is amount > 5 but must be tags with || between them")
        .contains("SQL92")
        .hasLineCount(1);
  }
}
