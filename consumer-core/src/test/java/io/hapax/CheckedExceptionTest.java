package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.MessageKey;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.store.DedupStore;
import io.hapax.store.ForwardingDedupStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Code in another language than Java may throw checked exceptions that no signature declares. */
@DisplayName("invariant 14: no message waits for ever because of an undeclared exception")
class CheckedExceptionTest extends FaultFixture {

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> RuntimeException sneaky(Throwable error) throws E {
    throw (E) error;
  }

  private static RuntimeException thrown() {
    throw CheckedExceptionTest.<RuntimeException>sneaky(new IOException("connection reset"));
  }

  private static Optional<Bytes> read(String text) {
    if (text.equals("throws")) {
      throw thrown();
    }
    return Optional.of(Bytes.utf8(text));
  }

  private IdempotentReceiver<String> receiver(DedupStore store, ReceiverListener listener) {
    return open(builder()
        .id(CheckedExceptionTest::read)
        .listener(listener)
        .leased(store, delivery -> effects.add(delivery.message())));
  }

  @Test
  void an_id_function_gives_no_id() throws Exception {
    IdempotentReceiver<String> receiver = receiver(marks, ReceiverListener.NONE);

    List<Outcome> outcomes = receiver.receive(lane("p0", "throws", "a"), PATIENCE);

    assertThat(outcomes.get(0)).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(outcomes.get(1)).isInstanceOf(Outcome.Executed.class);
  }

  private void runsAll(IdempotentReceiver<String> receiver) throws Exception {
    for (String id : List.of("a", "b", "c")) {
      assertThat(receiver.receive(lane("p0", id), PATIENCE))
          .hasOnlyElementsOfType(Outcome.Executed.class);
    }
  }

  @Test
  void a_listener_ends_no_settlement() throws Exception {
    runsAll(receiver(marks, new ReceiverListener() {
      @Override
      public void onOutcome(MessageKey key, String coordinates, Outcome outcome) {
        throw thrown();
      }
    }));
  }

  @Test
  void a_sink_ends_no_settlement() throws Exception {
    IdempotentReceiver<String> receiver = receiver(marks, ReceiverListener.NONE);

    for (String id : List.of("a", "b", "c")) {
      Submission submission = receiver.submit(lane("p0", id), (index, outcome) -> {
        throw thrown();
      });
      assertThat(submission.await(PATIENCE)).isTrue();
    }
    assertThat(effects).containsExactly("a", "b", "c");
  }

  @Test
  void a_store_is_called_again() throws Exception {
    AtomicInteger claims = new AtomicInteger(2); // as many as there are calls at once
    AtomicInteger settlements = new AtomicInteger(1);
    DedupStore store = new ForwardingDedupStore(marks) {
      @Override
      public List<ClaimAnswer> claim(List<ClaimRequest> requests, Duration lease) {
        if (claims.getAndDecrement() > 0) {
          throw thrown();
        }
        return super.claim(requests, lease);
      }

      @Override
      public List<SettleAnswer> settle(List<Settlement> all) {
        if (settlements.getAndDecrement() > 0) {
          throw thrown();
        }
        return super.settle(all);
      }
    };

    runsAll(receiver(store, ReceiverListener.NONE));
  }
}
