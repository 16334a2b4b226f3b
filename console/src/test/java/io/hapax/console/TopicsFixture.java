package io.hapax.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.console.http.Response;
import io.hapax.console.kafka.OrderTopics;
import io.hapax.console.operations.Deployment;
import java.time.Duration;

/** A console with topics on a real broker. */
abstract class TopicsFixture extends ConsoleFixture {

  static final Duration BOUND = Duration.ofMinutes(1);

  final OrderTopics topics = new OrderTopics(Marks.CONSUMER);

  @Override
  Deployment deployment() {
    return topics.deployment(store);
  }

  /** Publishes and dead-letters a message, and returns its offset. */
  long dies(String id) throws Exception {
    long offset = topics.publish(id);
    Marks.dead(store, id, "shop.NoPrice");
    topics.deadLetter(offset, "shop.NoPrice");
    return offset;
  }

  /** Returns the address of the job that a form has started. */
  static String job(Response started) {
    assertThat(started.status()).isEqualTo(303);
    return started.header("Location").orElseThrow();
  }

  /** Awaits the end of the job that a form has started, and returns its page. */
  Response ended(Response started) {
    String job = job(started);
    await().atMost(BOUND).until(() -> !Visitor.text(visitor.get(job)).contains("data-reload"));
    return visitor.get(job);
  }
}
