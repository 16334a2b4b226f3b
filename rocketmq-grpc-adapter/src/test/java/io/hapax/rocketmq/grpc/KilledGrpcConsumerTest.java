package io.hapax.rocketmq.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.adapter.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A consumer that dies after its messages took effect and before the proxy heard of it. */
@Timeout(300)
class KilledGrpcConsumerTest extends WithProxy {

  @TempDir
  private Path directory;

  @Test
  void messages_settled_before_a_kill_take_no_second_effect() throws Exception {
    create();
    String[] texts = IntStream.range(0, 12).mapToObj(i -> "m" + i).toArray(String[]::new);
    send(texts);
    Process child = ConsumerJvm.start(endpoints(), topic, group, directory);
    int settled = 0;
    try {
      while (settled < ConsumerJvm.IN_HAND && child.getInputStream().read() == '.') {
        settled++;
      }
    } finally {
      child.destroyForcibly().waitFor();
    }
    assertThat(settled)
        .as(Files.readString(ConsumerJvm.errors(directory)))
        .isEqualTo(ConsumerJvm.IN_HAND);

    Shop shop = open(new Shop(directory));
    open(receiving(open(builder().transactional(shop.marks(), Shop.handler()))).start());

    await()
        .atMost(BOUND)
        .untilAsserted(() -> assertThat(count(Outcome.Executed.class))
            .isEqualTo(texts.length - ConsumerJvm.IN_HAND));
    // As often as they come: the broker may hand out again what a late answer was for.
    await()
        .atMost(BOUND)
        .untilAsserted(
            () -> assertThat(duplicates).hasSizeGreaterThanOrEqualTo(ConsumerJvm.IN_HAND));
    assertThat(shop.written()).containsExactlyInAnyOrder(texts);
  }
}
