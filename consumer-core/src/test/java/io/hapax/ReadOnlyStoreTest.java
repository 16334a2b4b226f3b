package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.health.Problem;
import io.hapax.internal.Engine;
import io.hapax.internal.message.Outcomes;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.store.DedupStore;
import io.hapax.store.StoreException;
import io.hapax.store.StoreLoss;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * What a receiver that may go on without its store makes of one that can be read but keeps nothing:
 * a Redis that is full, a database that is read-only.
 */
class ReadOnlyStoreTest extends FailOpenFixture {

  private final AtomicInteger reads = new AtomicInteger();
  private final CountDownLatch slowGoesOn = new CountDownLatch(1);
  private final CountDownLatch answered = new CountDownLatch(1);
  private volatile boolean readOnly;
  private volatile boolean repliesAreLost = true;

  private final DedupStore store = faulty((verb, items, call) -> {
    if (items.stream().anyMatch(ReadOnlyStoreTest::changesNothing)) {
      return answeredByReading(items, call);
    } else if (verb.equals("find")) {
      reads.incrementAndGet();
    } else if (readOnly && items.stream().anyMatch(this::writes)) {
      failures.incrementAndGet();
      throw new StoreException("OOM command not allowed");
    }
    return call.go();
  });

  /** A verdict that is sent again, and a claim given back whose mark is lost. */
  private static boolean changesNothing(Object item) {
    return item instanceof Settlement it
        && (it.verdict() instanceof Verdict.Release || it.claim().key().equals(key("resent")));
  }

  private Object answeredByReading(List<?> items, Call call) throws Throwable {
    boolean released = ((Settlement) items.get(0)).verdict() instanceof Verdict.Release;
    Object answer = released ? List.of(new SettleAnswer.Settled(false)) : call.go();
    if (repliesAreLost) {
      throw new StoreException("the reply was lost");
    }
    answered.countDown();
    return answer;
  }

  private void isAnsweredByReading() throws InterruptedException {
    repliesAreLost = false;
    assertThat(answered.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  /** What is known to be done is answered by reading, and so is what is asked too late. */
  private boolean writes(Object item) {
    return !(item instanceof ClaimRequest it)
        || !(it.terms().notAfter().equals(Instant.EPOCH) || isDone(it.key()));
  }

  private boolean isDone(MessageKey key) {
    return marks
        .find(List.of(key))
        .get(0)
        .filter(it -> it.state() == MarkState.DONE)
        .isPresent();
  }

  private Engine<String> receiver() {
    return ready(engine(LeaseSettings.DEFAULT, nanos::get, store, delivery -> {
      if (delivery.message().equals("slow")) {
        slowGoesOn.await();
      }
      effects.add(delivery.message());
    }));
  }

  /** An engine whose store keeps nothing, for longer than it waits. */
  private Engine<String> open(Engine<String> engine) {
    readOnly = true;
    staysAwayUntil(submit(engine, "first"));
    return engine;
  }

  /** The generation is read again. */
  private void isRead() {
    for (int i = 0; i < 2; i++) { // the second look begins when the first is over
      int before = reads.get();
      listeners.onDataLost(new StoreLoss("somewhere", StoreLoss.Extent.LATEST));
      Awaitility.await().atMost(PATIENCE).until(() -> reads.get() > before);
    }
  }

  /** Each second it is asked whether it is back. */
  private void isAsked() {
    int before = failures.get();
    Awaitility.await().atMost(PATIENCE).until(() -> failures.get() > before);
  }

  @Test
  void that_it_can_be_read_does_not_make_the_next_message_wait_again() throws Exception {
    Engine<String> engine = open(receiver());
    isRead();

    assertThat(engine.receive(lane("p0", "a"), PATIENCE))
        .containsExactly(new Outcome.Unprotected(Bytes.EMPTY));
    assertThat(bypassed).containsExactly("NOT_CLAIMED first", "NOT_CLAIMED a");
    assertThat(engine.health().problems())
        .extracting(Problem::kind, Problem::text)
        .contains(tuple(
            Problem.Kind.STORE_BYPASSED, "the store is bypassed: messages run without marks"));
  }

  @Test
  void a_question_that_it_answers_by_reading_does_not_say_that_it_is_back() throws Exception {
    Engine<String> engine = open(receiver());
    isAsked();

    assertThat(engine.receive(lane("p0", "a"), PATIENCE))
        .containsExactly(new Outcome.Unprotected(Bytes.EMPTY));
  }

  @Test
  void a_verdict_that_it_had_executed_before_does_not_say_that_it_is_back() throws Exception {
    Engine<String> engine = receiver();
    engine.submit(lane("p1", "resent"), new Outcomes(1));
    Awaitility.await().atMost(PATIENCE).until(() -> isDone(key("resent")));
    open(engine);
    isAnsweredByReading();
    isAsked();

    assertThat(engine.receive(lane("p0", "a"), PATIENCE))
        .containsExactly(new Outcome.Unprotected(Bytes.EMPTY));
  }

  @Test
  void a_claim_given_back_that_it_has_lost_does_not_say_that_it_is_back() throws Exception {
    Engine<String> engine = receiver();
    Submission submission = engine.submit(lane("p1", "slow", "given back"), new Outcomes(2));
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> marks.find(List.of(key("given back"))).get(0).isPresent());
    open(engine);
    submission.abandon();
    isAnsweredByReading();
    isAsked();

    assertThat(engine.receive(lane("p0", "a"), PATIENCE))
        .containsExactly(new Outcome.Unprotected(Bytes.EMPTY));
  }

  @Test
  void that_it_can_be_read_does_not_shorten_the_time_for_which_it_was_away() {
    Engine<String> engine = receiver();
    readOnly = true;
    engine.submit(lane("p0", "a"), new Outcomes(1));
    isAsked();
    isRead();
    nanos.addAndGet(HALF.toNanos());
    Outcomes later = new Outcomes(1);
    engine.submit(lane("p1", "b"), later);
    isAsked();
    isRead();
    nanos.addAndGet(HALF.toNanos());

    Awaitility.await().atMost(PATIENCE).until(() -> !later.seen.get(0).isEmpty());
    assertThat(bypassed).contains("NOT_CLAIMED b");
  }

  @Test
  void a_duplicate_that_it_still_knows_does_not_run_again_before_it_is_away() throws Exception {
    Engine<String> engine = receiver();
    engine.receive(lane("p0", "known"), PATIENCE);
    readOnly = true;

    assertThat(engine.receive(lane("p0", "known"), PATIENCE))
        .containsExactly(new Outcome.Duplicate());
    assertThat(effects).containsExactly("known");
  }

  @Test
  void once_it_keeps_marks_again_messages_are_protected_again() throws Exception {
    Engine<String> engine = open(receiver());
    isAsked();
    readOnly = false;
    Awaitility.await().atMost(PATIENCE).until(() -> engine.health().well());

    assertThat(engine.receive(lane("p0", "a"), PATIENCE).get(0))
        .isInstanceOf(Outcome.Executed.class);
    assertThat(mark("a").state()).isEqualTo(MarkState.DONE);
  }
}
