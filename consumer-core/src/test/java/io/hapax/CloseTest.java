package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.errors.ReceiverClosedException;
import io.hapax.internal.Engine;
import io.hapax.internal.runtime.Ticker;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.MarkState;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What closing a receiver leaves behind. */
class CloseTest extends FaultFixture {

  @Test
  @DisplayName("invariant 14: a submission that races with close gets outcomes or is refused")
  void a_submission_that_races_with_close_does_not_wait_for_ever() throws Exception {
    IdempotentReceiver<String> receiver = open(builder().leased(marks, delivery -> {}));
    List<Incoming<String>> messages = lane("p0", "a");
    // asked for its size after the receiver was found open and before the submission is on its way
    List<Incoming<String>> racing = new AbstractList<>() {
      @Override
      public Incoming<String> get(int index) {
        return messages.get(index);
      }

      @Override
      public int size() {
        receiver.close();
        return messages.size();
      }
    };
    Submission submission;
    try {
      submission = receiver.submit(racing, IGNORED);
    } catch (ReceiverClosedException refused) {
      return;
    }
    submission.abandon();

    awaitAll(submission);
  }

  @Test
  void a_claim_answered_after_close_gives_no_second_outcome() throws Exception {
    open(builder().leased(marks, delivery -> {})).receive(lane("p0", "a"), PATIENCE);
    Gate claim = new Gate();
    Thread[] caller = {Thread.currentThread()};
    Fault slow = before("claim", items -> {
      caller[0] = Thread.currentThread();
      claim.passUninterruptibly();
    });
    IdempotentReceiver<String> receiver = open(builder().leased(faulty(slow), delivery -> {}));
    Outcomes outcomes = new Outcomes(1);
    receiver.submit(lane("p0", "a"), outcomes);
    claim.awaitReached();
    receiver.close();

    claim.open();
    caller[0].join(PATIENCE.toMillis());

    assertThat(outcomes.seen.get(0)).hasSize(1);
  }

  @Test
  @DisplayName("invariants 12 and 14: an id is busy until the handler that outlived close ends")
  void an_id_is_busy_until_the_handler_that_outlived_its_receiver_ends() throws Exception {
    Gate handler = new Gate();
    Thread[] worker = {Thread.currentThread()};
    IdempotentReceiver<String> old = open(builder().leased(marks, delivery -> {
      worker[0] = Thread.currentThread();
      handler.passUninterruptibly();
    }));
    old.submit(lane("p0", "a"), IGNORED);
    handler.awaitReached();
    old.close();
    clock.advance(Duration.ofHours(1));
    IdempotentReceiver<String> next = open(builder().leased(marks, this::record));

    List<Outcome> meanwhile = next.receive(lane("p0", "a"), Duration.ofSeconds(1));

    assertThat(meanwhile).noneMatch(Outcome::mayAcknowledge);
    assertThat(effects).isEmpty();
    handler.open();
    worker[0].join(PATIENCE.toMillis());
    assertThat(receiveOne(next, "a").mayAcknowledge()).isTrue();
  }

  @Test
  @DisplayName("invariant 12: a message that has its outcome does not start, even in that moment")
  void a_message_given_up_between_its_turn_and_its_handler_does_not_run() throws Exception {
    Gate itsTurn = new Gate();
    Ticker ticker = () -> {
      if (Thread.currentThread().getName().startsWith("hapax-worker")) {
        itsTurn.passUninterruptibly();
      }
      return System.nanoTime();
    };
    CountDownLatch ended = new CountDownLatch(1);
    Engine<String> engine = engine(LeaseSettings.DEFAULT, ticker, marks, this::record);
    engine.submit(lane("p0", "a"), (index, outcome) -> ended.countDown());
    itsTurn.awaitReached();
    engine.close();
    ended.await();
    Thread[] workers = Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("hapax-worker"))
        .toArray(Thread[]::new);

    itsTurn.open();
    for (Thread worker : workers) {
      worker.join(PATIENCE.toMillis());
    }

    assertThat(effects).isEmpty();
  }

  @Test
  @DisplayName("invariant 14: an id whose message was abandoned at intake can be received again")
  void a_message_abandoned_before_it_owns_its_id_leaves_the_id_free() throws Exception {
    Gate handler = new Gate();
    IdempotentReceiver<String> old =
        open(builder().leased(marks, delivery -> handler.passUninterruptibly()));
    old.submit(lane("p0", "still handled"), IGNORED);
    handler.awaitReached();
    old.close();
    IdempotentReceiver<String> next = open(builder().leased(marks, delivery -> {}));
    CompletableFuture<Submission> submission = new CompletableFuture<>();
    // the first message is deferred while the others have not been looked at yet
    submission.complete(next.submit(lane("p0", "still handled", "a"), (index, outcome) -> {
      if (index == 0) {
        submission.join().abandon();
      }
    }));
    submission.join().await(PATIENCE);

    List<Outcome> again = next.receive(lane("p1", "a"), PATIENCE);
    handler.open();

    assertThat(again).allMatch(Outcome.Executed.class::isInstance);
  }

  @Test
  @DisplayName("invariant 14: what the caller does with its list later harms no message")
  void a_list_that_is_emptied_after_its_submission_has_been_taken_as_it_was() throws Exception {
    Gate reader = new Gate();
    IdempotentReceiver<String> receiver = open(builder()
        .id(text -> {
          reader.passUninterruptibly();
          return Optional.of(Bytes.utf8(text));
        })
        .leased(marks, delivery -> {}));
    List<Incoming<String>> polled = new ArrayList<>(lane("p0", "a", "b"));

    Submission submission = receiver.submit(polled, IGNORED);
    reader.awaitReached();
    polled.clear();
    reader.open();

    awaitAll(submission);
  }

  @Test
  @DisplayName("invariant 16: a claim answered after its submission was abandoned is released")
  void a_claim_under_way_at_the_revoke_is_released_when_it_is_answered() throws Exception {
    Gate claim = new Gate();
    Fault slow = (verb, items, call) -> {
      Object answers = call.go();
      if (verb.equals("claim") && ((List<?>) answers).get(0) instanceof ClaimAnswer.Acquired) {
        claim.passUninterruptibly();
      }
      return answers;
    };
    IdempotentReceiver<String> receiver = open(builder().leased(faulty(slow), this::record));
    Submission submission = receiver.submit(lane("p0", "a"), IGNORED);
    claim.awaitReached();

    submission.abandon();
    claim.open();

    awaitAll(submission);
    assertThat(effects).isEmpty();
    assertThat(mark("a").state()).isEqualTo(MarkState.RETRY);
    assertThat(mark("a").claim().attempt().number()).isZero();
  }

  @Test
  @DisplayName("invariant 14: a revoke ends the asking for a suspect, too")
  void an_abandoned_suspect_whose_claims_are_lost_gets_its_outcome() throws Exception {
    lost(false, "a");
    CountDownLatch asked = new CountDownLatch(2);
    Fault refused = (verb, items, call) -> {
      if (verb.equals("claim") && ((ClaimRequest) items.get(0)).terms().solo()) {
        asked.countDown();
        throw new StoreException("the call was lost");
      }
      return call.go();
    };
    IdempotentReceiver<String> receiver = open(builder().leased(faulty(refused), delivery -> {}));
    Submission submission = receiver.submit(lane("p0", "a"), IGNORED);
    asked.await();

    submission.abandon();

    awaitAll(submission);
  }

  @ParameterizedTest
  @ValueSource(strings = {"handler", "store"})
  @DisplayName("an adapter and its receiver, closed one after the other, share one limit")
  void what_hangs_is_waited_for_once(String hanging) throws Exception {
    Duration limit = Duration.ofSeconds(4);
    Gate gate = new Gate();
    Fault slow = before("claim", items -> pass(hanging.equals("store"), gate));
    IdempotentReceiver<String> receiver = ready(open(builder()
        .drainTimeout(limit)
        .leased(faulty(slow), delivery -> pass(hanging.equals("handler"), gate))));
    Submission submission = receiver.submit(lane("p0", "a"), IGNORED);
    gate.awaitReached();

    submission.abandon();
    assertThat(submission.await(limit)).isFalse();
    long begin = System.nanoTime();
    receiver.close();
    gate.open();

    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(3));
  }

  private static void pass(boolean hangs, Gate gate) {
    if (hangs) {
      gate.passUninterruptibly();
    }
  }
}
