package io.hapax.operations.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.IdempotentReceiver;
import io.hapax.adapter.Incoming;
import io.hapax.generation.GenerationMove;
import io.hapax.generation.Generations;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that a receiver runs the messages that an audit has counted. */
class AuditPromiseTest extends AuditFixture {

  /** The promise itself: the count is what a receiver of that name then hands to its handler. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void what_would_run_again_is_what_a_receiver_then_runs(int seed) throws Exception {
    Random random = new Random(seed);
    List<Message> messages = world(random);
    AuditReport report = audit(SETTINGS, messages, 1 + random.nextInt(5));
    List<String> handled = new CopyOnWriteArrayList<>();
    var receiver = IdempotentReceiver.<Message>builder("orders")
        .id(AuditFixture::idOf)
        .fingerprint(AuditFixture::payload)
        .deadLetters(letter -> {})
        .leased(store, delivery -> handled.add(delivery.messageId()));

    now = now.plus(Duration.ofSeconds(45)); // released messages are due, and no lease has expired
    try (receiver) {
      for (Message message : messages) {
        receiver.receive(
            List.of(new Incoming<>(message, "lane", "orders-0@7", false)), Duration.ofMinutes(1));
      }
    }

    assertThat(handled).doesNotHaveDuplicates().hasSize((int) report.wouldRunAgain());
  }

  /** Marks in all states, and messages with and without a mark. */
  private List<Message> world(Random random) {
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      Message message = message("id-" + random.nextInt(20));
      messages.add(random.nextInt(4) == 0 ? new Message(message.id(), "another") : message);
    }
    messages.add(new Message("", "?"));
    for (int i = 0; i < 10; i++) {
      Message message = message("id-" + i);
      Fingerprint fingerprint = random.nextInt(3) == 0 ? Fingerprint.NONE : payload(message);
      switch (random.nextInt(6)) {
        case 0 -> settle(claim(message, fingerprint), Verdict.Done.WITHOUT_RESULT);
        case 1 -> settle(claim(message, fingerprint), new Verdict.Dead("why"));
        case 2 ->
          settle(claim(message, fingerprint), new Verdict.Retry(Duration.ofSeconds(30), true));
        case 3 -> settle(claim(message, fingerprint), new Verdict.Release());
        case 4 -> {
          claim(message, fingerprint);
          if (i < 5) {
            now = now.plus(LEASE);
          }
        }
        default -> {
          // It has no mark.
        }
      }
    }
    return messages;
  }

  @Test
  void the_marks_of_the_present_generation_count() throws Exception {
    done(message("a"));
    assertThat(audit(message("a")).settled()).isTrue();

    assertThat(Generations.advance(store, "orders", 0)).isEqualTo(new GenerationMove.Moved(1));

    assertThat(audit(message("a")).wouldRunAgain()).isEqualTo(1);
    try (var receiver = IdempotentReceiver.<Message>builder("orders")
        .id(AuditFixture::idOf)
        .fingerprint(AuditFixture::payload)
        .leased(store, delivery -> {})) {
      receiver.receive(
          List.of(new Incoming<>(message("a"), "orders-0", "orders-0@0", false)),
          Duration.ofMinutes(1));
    }
    assertThat(audit(message("a")).settled()).isTrue();
  }
}
