package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.errors.ReceiverClosedException;
import io.hapax.internal.Engine;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.runtime.Ticker;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.MarkState;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

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
      submission = receiver.submit(racing, (index, outcome) -> {});
    } catch (ReceiverClosedException refused) {
      return;
    }
    submission.abandon();

    assertThat(submission.await(PATIENCE)).isTrue();
  }

  @Test
  @DisplayName("the sink is called once for each message")
  void a_claim_answered_after_close_gives_no_second_outcome() throws Exception {
    open(builder().leased(marks, delivery -> {})).receive(lane("p0", "a"), PATIENCE);
    CountDownLatch claiming = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    Thread[] caller = {Thread.currentThread()};
    Fault slow = (verb, items, call) -> {
      if (verb.equals("claim")) {
        caller[0] = Thread.currentThread();
        claiming.countDown();
        awaitUninterruptibly(answer);
      }
      return call.go();
    };
    IdempotentReceiver<String> receiver = open(builder().leased(faulty(slow), delivery -> {}));
    Outcomes outcomes = new Outcomes(1);
    receiver.submit(lane("p0", "a"), outcomes);
    claiming.await();
    receiver.close();

    answer.countDown();
    caller[0].join(PATIENCE.toMillis());

    assertThat(outcomes.seen.get(0)).hasSize(1);
  }

  @Test
  @DisplayName("invariant 12: the same id never runs twice at once in one process")
  void a_handler_that_outlives_its_receiver_still_keeps_its_id_from_running() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger atOnce = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CountDownLatch second = new CountDownLatch(1);
    MessageHandler<String> stubborn = delivery -> {
      most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
      running.countDown();
      awaitUninterruptibly(go);
      atOnce.decrementAndGet();
    };
    IdempotentReceiver<String> old = open(builder().leased(marks, stubborn));
    old.submit(lane("p0", "a"), (index, outcome) -> {});
    running.await();
    old.close();
    clock.advance(Duration.ofHours(1));
    IdempotentReceiver<String> next = open(builder().leased(marks, delivery -> {
      most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
      second.countDown();
      atOnce.decrementAndGet();
    }));

    next.submit(lane("p0", "a"), (index, outcome) -> {});
    second.await(1, TimeUnit.SECONDS);
    go.countDown();

    assertThat(most).hasValue(1);
  }

  @Test
  @DisplayName("invariant 12: a message that has its outcome does not start, even in that moment")
  void a_message_given_up_between_its_turn_and_its_handler_does_not_run() throws Exception {
    CountDownLatch itsTurn = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    Ticker ticker = () -> {
      if (Thread.currentThread().getName().startsWith("hapax-worker")) {
        itsTurn.countDown();
        awaitUninterruptibly(closed);
      }
      return System.nanoTime();
    };
    CountDownLatch ended = new CountDownLatch(1);
    Engine<String> engine = engine(LeaseSettings.DEFAULT, ticker, marks, delivery -> {
      effects.add(delivery.message());
    });
    engine.submit(lane("p0", "a"), (index, outcome) -> ended.countDown());
    itsTurn.await();
    engine.close();
    ended.await();
    Thread[] workers = Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("hapax-worker"))
        .toArray(Thread[]::new);

    closed.countDown();
    for (Thread worker : workers) {
      worker.join(PATIENCE.toMillis());
    }

    assertThat(effects).isEmpty();
  }

  @Test
  @DisplayName("invariant 14: an id whose message was abandoned at intake can be received again")
  void a_message_abandoned_before_it_owns_its_id_leaves_the_id_free() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    IdempotentReceiver<String> old = open(builder().leased(marks, delivery -> {
      running.countDown();
      awaitUninterruptibly(go);
    }));
    old.submit(lane("p0", "still handled"), (index, outcome) -> {});
    running.await();
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
    go.countDown();

    assertThat(again).allMatch(Outcome.Executed.class::isInstance);
  }

  @Test
  @DisplayName("invariant 14: what the caller does with its list later harms no message")
  void a_list_that_is_emptied_after_its_submission_has_been_taken_as_it_was() throws Exception {
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch emptied = new CountDownLatch(1);
    IdempotentReceiver<String> receiver = open(builder()
        .id(text -> {
          reading.countDown();
          awaitUninterruptibly(emptied);
          return Optional.of(Bytes.utf8(text));
        })
        .leased(marks, delivery -> {}));
    List<Incoming<String>> polled = new ArrayList<>(lane("p0", "a", "b"));

    Submission submission = receiver.submit(polled, (index, outcome) -> {});
    reading.await();
    polled.clear();
    emptied.countDown();

    assertThat(submission.await(PATIENCE)).isTrue();
  }

  @Test
  @DisplayName("invariant 16: a claim answered after its submission was abandoned is released")
  void a_claim_under_way_at_the_revoke_is_released_when_it_is_answered() throws Exception {
    CountDownLatch claiming = new CountDownLatch(1);
    CountDownLatch revoked = new CountDownLatch(1);
    Fault slow = (verb, items, call) -> {
      Object answers = call.go();
      if (verb.equals("claim") && ((List<?>) answers).get(0) instanceof ClaimAnswer.Acquired) {
        claiming.countDown();
        awaitUninterruptibly(revoked);
      }
      return answers;
    };
    IdempotentReceiver<String> receiver =
        open(builder().leased(faulty(slow), delivery -> effects.add(delivery.message())));
    Submission submission = receiver.submit(lane("p0", "a"), (index, outcome) -> {});
    claiming.await();

    submission.abandon();
    revoked.countDown();

    assertThat(submission.await(PATIENCE)).isTrue();
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
    Submission submission = receiver.submit(lane("p0", "a"), (index, outcome) -> {});
    asked.await();

    submission.abandon();

    assertThat(submission.await(PATIENCE)).isTrue();
  }

  @Test
  @DisplayName("invariant 14: once a handler that outlived its receiver ends, its id is free")
  void an_id_is_free_again_after_the_handler_that_outlived_its_receiver() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Thread[] worker = {Thread.currentThread()};
    IdempotentReceiver<String> old = open(builder().leased(marks, delivery -> {
      worker[0] = Thread.currentThread();
      running.countDown();
      awaitUninterruptibly(go);
    }));
    old.submit(lane("p0", "a"), (index, outcome) -> {});
    running.await();
    old.close();
    go.countDown();
    worker[0].join(PATIENCE.toMillis());
    clock.advance(Duration.ofHours(1));

    IdempotentReceiver<String> next = open(builder().leased(marks, delivery -> {}));

    assertThat(next.receive(lane("p0", "a"), PATIENCE).get(0).mayAcknowledge()).isTrue();
  }

  @Test
  void a_close_that_may_take_for_ever_waits_for_the_handler_and_no_longer() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    IdempotentReceiver<String> receiver =
        open(builder().drainTimeout(ChronoUnit.FOREVER.getDuration()).leased(marks, delivery -> {
          running.countDown();
          go.await();
        }));
    receiver.submit(lane("p0", "a"), (index, outcome) -> {});
    running.await();
    Thread closing = new Thread(receiver::close);
    closing.start();
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> closing.getState() == Thread.State.TIMED_WAITING);

    go.countDown();

    closing.join(PATIENCE.toMillis());
    assertThat(closing.isAlive()).isFalse();
    assertThat(mark("a").state()).isEqualTo(MarkState.DONE);
  }
}
