package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** A broker that is killed under its consumers. */
@Isolated("other tests use the same broker")
@Timeout(180)
class RestartedBrokerTest extends WithConsumers {

  @Test
  void a_killed_broker_that_lost_offsets_causes_no_second_effect() throws Exception {
    createTopic(2);
    send(texts("before", 50));
    receive(delivery -> effects.add(body(delivery.message())));
    await().atMost(BOUND).until(() -> effects.size() >= 25);

    restartBroker();

    await().atMost(BOUND).until(() -> effects.size() >= 50);
    await().atMost(BOUND).ignoreExceptions().until(() -> {
      send(message("after", "after"));
      return true;
    });
    await().atMost(BOUND).until(() -> effects.contains("after"));
    assertThat(effects).doesNotHaveDuplicates().hasSize(51);
  }

  private static String[] texts(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> prefix + i).toArray(String[]::new);
  }
}
