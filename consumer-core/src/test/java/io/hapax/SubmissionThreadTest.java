package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.errors.ReceiverClosedException;
import io.hapax.mark.Bytes;
import io.hapax.policy.MissingIdPolicy;
import io.hapax.store.DedupStore;
import java.nio.channels.ClosedByInterruptException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the thread that submits messages does, and what it leaves to others. */
class SubmissionThreadTest extends FaultFixture {

  private final Set<Thread> readers = ConcurrentHashMap.newKeySet();
  private final Set<Thread> others = ConcurrentHashMap.newKeySet();

  private final DedupStore store = faulty((verb, items, call) -> {
    others.add(Thread.currentThread());
    return call.go();
  });

  private final IdempotentReceiver<String> receiver = open(builder()
      .id(text -> {
        readers.add(Thread.currentThread());
        return Optional.of(Bytes.utf8(text));
      })
      .leased(store, delivery -> others.add(Thread.currentThread())));

  @Test
  @DisplayName("an interrupt of that thread meets no call to a store, which some would not survive")
  void it_reads_the_ids_and_neither_calls_the_store_nor_handles() throws Exception {
    receive(receiver, "before"); // and the generation is known
    readers.clear();
    others.clear();
    Outcomes outcomes = new Outcomes(1);

    Submission submission = receiver.submit(lane("p0", "a"), outcomes);

    awaitAll(submission);
    assertThat(outcomes.seen.get(0)).hasOnlyElementsOfType(Outcome.Executed.class);
    assertThat(readers).containsExactly(Thread.currentThread());
    assertThat(others).isNotEmpty().doesNotContain(Thread.currentThread());
  }

  /** An id that is looked up, which an interrupt ends. */
  private static Optional<Bytes> lookUp(String text, Sign left) {
    try {
      new CountDownLatch(0).await();
      return Optional.of(Bytes.utf8(text));
    } catch (InterruptedException e) {
      if (left == Sign.FLAG) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("no id was found");
      }
      throw new IllegalStateException(left == Sign.CAUSE ? e : new ClosedByInterruptException());
    }
  }

  /** What an extractor leaves of an interrupt. */
  private enum Sign {
    FLAG,
    CAUSE,
    CLOSED_CHANNEL
  }

  @ParameterizedTest
  @CsvSource({
    "DEAD_LETTER, FLAG",
    "DEAD_LETTER, CAUSE",
    "DEAD_LETTER, CLOSED_CHANNEL",
    "FAIL, FLAG",
    "FAIL, CAUSE",
    "COORDINATES, FLAG",
    "COORDINATES, CAUSE"
  })
  void an_interrupt_during_the_read_of_an_id_does_not_make_it_a_missing_id(
      MissingIdPolicy policy, Sign left) throws Exception {
    IdempotentReceiver<String> interrupted = open(
        builder().id(text -> lookUp(text, left)).missingId(policy).leased(marks, this::record));
    receive(interrupted, "before");
    Outcomes outcomes = new Outcomes(2);

    Thread.currentThread().interrupt();
    Submission submission = interrupted.submit(lane("p0", "a", "behind"), outcomes);
    assertThat(Thread.interrupted()).isEqualTo(left == Sign.FLAG);

    awaitAll(submission);
    assertThat(outcomes.seen.get(0))
        .extracting(outcome -> ((Outcome.Deferred) outcome).reason())
        .containsExactly(Outcome.Reason.ABANDONED);
    assertThat(outcomes.seen.get(1)).hasOnlyElementsOfType(Outcome.Deferred.class);
    receive(interrupted, "a", "behind");
    assertThat(effects).containsExactly("before", "a", "behind");
    assertThat(buried).isEmpty();
  }

  @Test
  void it_is_refused_once_the_receiver_is_closed() {
    receiver.close();

    assertThatThrownBy(() -> receiver.submit(lane("p0", "a"), new Outcomes(1)))
        .isInstanceOf(ReceiverClosedException.class)
        .hasMessageContaining("is closed");
    assertThat(readers).isEmpty();
  }
}
