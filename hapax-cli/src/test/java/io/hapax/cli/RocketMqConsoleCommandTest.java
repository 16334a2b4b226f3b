package io.hapax.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
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
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Serves the console on a real RocketMQ: its numbers, an audit, and a message published again. */
@Tag("nightly")
class RocketMqConsoleCommandTest extends RocketMqFixture {

  private static final String GROUP = "billing-of-the-console";
  private static final String TOPIC = "console-orders";

  @TempDir
  private Path folder;

  private static void claimed(DedupStore store, String id, String coordinates) {
    var unused = store.claim(
        List.of(new ClaimRequest(
            MessageKey.of(GROUP, TOPIC + "/" + id),
            new Nonce(7, id.hashCode()),
            Fingerprint.NONE,
            new Origin("shop-7-4711/billing", coordinates),
            new ClaimTerms(false, true, ClaimTerms.ANY_TIME))),
        Duration.ofMillis(1));
  }

  private ServedConsole served() throws Exception {
    return new ServedConsole(
        folder,
        "--broker rocketmq --bootstrap",
        ROCKET_MQ.nameServer(),
        "--id standard --topic",
        TOPIC,
        "--group",
        GROUP,
        "--consumer",
        GROUP,
        "--store",
        REDIS.uri(),
        "--allow-writes");
  }

  @Test
  void a_stale_message_is_found_and_published_again() throws Exception {
    ROCKET_MQ.createTopic(TOPIC, 1);
    send(TOPIC, "lost", "another");
    Outcomes outcomes = new Outcomes();
    List<String> ran = new CopyOnWriteArrayList<>();
    try (DedupStore store = store();
        var receiver = IdempotentReceiver.<MessageExt>builder(GROUP)
            .id(RocketMqIds.standard())
            .fingerprint(RocketMqFingerprints.body())
            .listener(outcomes)
            .leased(store, delivery -> ran.add(delivery.message().getKeys()));
        ServedConsole console = served()) {
      claimed(store, "lost", TOPIC + "-local-0@0");

      assertThat(console.get("/doubt")).contains(TOPIC + "/lost", TOPIC + "-local-0@0");
      var unused = console.ended(console.act("audit"));
      JsonNode audit = new JsonMapper().readTree(console.get("/json/audit"));
      assertThat(audit.at("/audit/messages").asInt()).isEqualTo(2);
      assertThat(audit.at("/audit/ids/stale").asInt()).isEqualTo(1);
      HttpResponse<String> planned = console.plan("redeliver", "id", TOPIC + "/lost");
      assertThat(console.execute("redeliver", planned).body()).contains("was published again");

      try (var service = RocketMqReceiver.start(receiver, consumer(GROUP, TOPIC))) {
        outcomes.awaitExecuted(2);
        outcomes.awaitDuplicates(1);
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> assertOneLives(console));
        assertThat(service.problems()).isEmpty();
      }
    }
    assertThat(ran).as("one of three was known").containsExactlyInAnyOrder("lost", "another");
  }

  /** The numbers are read anew by a page, and every two seconds at most. */
  private static void assertOneLives(ServedConsole console) throws Exception {
    assertThat(console.get("/")).isNotEmpty();
    JsonNode series = new JsonMapper().readTree(console.get("/now/series.json")).get("series");
    assertThat(ServedConsole.last(series, "live")).as(series.toString()).isEqualTo(1);
    assertThat(ServedConsole.last(series, "problems")).isZero();
  }
}
