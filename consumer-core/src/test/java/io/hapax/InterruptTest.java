package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A handler that fails by an interrupt of its own making. */
class InterruptTest extends FaultFixture {

  @Test
  @DisplayName("one message's interrupt is not the next one's")
  void neither_the_publisher_nor_the_next_handler_starts_interrupted() throws Exception {
    List<String> interrupted = new CopyOnWriteArrayList<>();
    IdempotentReceiver<String> receiver = open(builder()
        .retry(new RetrySettings(1, Duration.ofMinutes(1), Duration.ofMinutes(1)))
        .deadLetters(letter -> {
          if (Thread.currentThread().isInterrupted()) {
            interrupted.add("publisher");
          }
        })
        .leased(marks, delivery -> {
          if (Thread.currentThread().isInterrupted()) {
            interrupted.add("handler of " + delivery.message());
          }
          if (delivery.message().equals("a")) {
            throw new InterruptedException("a client library's own future was cancelled");
          }
        }));

    receiver.receive(lane("p0", "a", "b"), PATIENCE);

    assertThat(interrupted).isEmpty();
  }
}
