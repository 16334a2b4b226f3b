package io.hapax.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.IdempotentReceiver;
import io.hapax.rocketmq.RocketMqFingerprints;
import io.hapax.rocketmq.RocketMqIds;
import io.hapax.rocketmq.RocketMqReceiver;
import io.hapax.store.DedupStore;
import java.nio.file.Path;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the packaged jar on a real RocketMQ. Runs once there is one. */
@Tag("nightly")
class RocketMqJarTest extends RocketMqFixture {

  private static final String GROUP = "accounts";
  private static final String TOPIC = "invoices";

  @TempDir
  private Path folder;

  /** Runs the service until it has handled one new message. */
  private static void serve() throws Exception {
    OutcomeLatch outcome = new OutcomeLatch();
    try (DedupStore store = store();
        var receiver = IdempotentReceiver.<MessageExt>builder(GROUP)
            .id(RocketMqIds.standard())
            .fingerprint(RocketMqFingerprints.body())
            .listener(outcome)
            .leased(store, delivery -> {});
        var service = RocketMqReceiver.start(receiver, consumer(GROUP, TOPIC))) {
      outcome.awaitDone();
      assertThat(service.problems()).isEmpty();
    }
  }

  @Test
  void it_has_rocketmqs_client_in_it_which_says_and_leaves_nothing() throws Exception {
    ROCKET_MQ.createTopic(TOPIC, 1);
    send(TOPIC, "order-17");
    Jar jar = new Jar(
        folder,
        "--broker rocketmq --bootstrap",
        ROCKET_MQ.nameServer(),
        "--topic",
        TOPIC,
        "--consumer",
        GROUP,
        "--id standard --store",
        REDIS.uri());

    assertThat(jar.run("audit")).as(jar.err()).isEqualTo(3);
    assertThat(jar.out())
        .startsWith("consumer accounts, topic invoices")
        .contains("unknown: invoices/order-17 at invoices-");
    serve();
    assertThat(jar.run("audit")).as(jar.err()).isZero();
    assertThat(jar.out()).containsPattern("WOULD RUN AGAIN +0\n");
    assertThat(jar.run("replay --group", GROUP)).as(jar.err()).isZero();
    assertThat(jar.out())
        .startsWith("group accounts, topic invoices")
        .contains("-0: 1 -> 0, end 1", "This was a dry run");
    assertThat(jar.home()).isEmptyDirectory();
  }
}
