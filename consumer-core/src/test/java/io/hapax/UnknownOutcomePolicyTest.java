package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.OutcomeProbe.Answer;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.errors.NotAppliedException;
import io.hapax.mark.Bytes;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What becomes of a message whose earlier attempt may have taken effect. */
class UnknownOutcomePolicyTest extends FaultFixture {

  private static final ProbeSettings AT_ONCE =
      new ProbeSettings(Duration.ofSeconds(20), Duration.ZERO);
  private static final ProbeSettings IMPATIENT =
      new ProbeSettings(Duration.ofMillis(20), Duration.ZERO);
  private static final ProbeSettings PATIENT =
      new ProbeSettings(Duration.ofSeconds(20), Duration.ofDays(1));

  private final AtomicInteger asked = new AtomicInteger();
  private final Map<String, Answer> told = new ConcurrentHashMap<>();

  /** The gateway charges, and then its reply does not come. */
  private void chargeAndTimeOut(Delivery<String> delivery) {
    effects.add(delivery.message());
    throw new IllegalStateException("the gateway timed out");
  }

  private MessageHandler<String> refusedAtFirst() {
    AtomicInteger attempts = new AtomicInteger();
    return delivery -> {
      if (attempts.incrementAndGet() == 1) {
        throw new NotAppliedException("refused before anything was sent");
      }
      record(delivery);
    };
  }

  /** Answers of the downstream, one after the other; the last stays. */
  private OutcomeProbe<String> answering(Answer... answers) {
    return delivery -> answers[Math.min(asked.getAndIncrement(), answers.length - 1)];
  }

  private ReceiverBuilder<String> probing(OutcomeProbe<String> probe) {
    return probing(probe, AT_ONCE);
  }

  private ReceiverBuilder<String> probing(OutcomeProbe<String> probe, ProbeSettings settings) {
    return builder().onUnknownOutcome(UnknownOutcomePolicy.probe(probe, settings));
  }

  @Test
  @DisplayName("what must not happen: charged, timed out, thrown, retried, charged again")
  void an_effect_that_the_gateway_knows_of_is_not_repeated() throws Exception {
    IdempotentReceiver<String> receiver =
        open(probing(answering(Answer.applied(Bytes.utf8("receipt 7"))))
            .leased(marks, this::chargeAndTimeOut));

    assertThat(reason(receiveOne(receiver, "a"))).isEqualTo(Outcome.Reason.RETRY);
    clock.advance(Duration.ofMinutes(2));

    assertThat(receiveOne(receiver, "a")).isInstanceOf(Outcome.Duplicate.class);
    assertThat(effects).containsExactly("a");
    assertThat(mark("a").state()).isEqualTo(MarkState.DONE);
    assertThat(mark("a").detail()).isEqualTo(Bytes.utf8("receipt 7"));
  }

  @Test
  void the_gateway_is_probed_even_after_the_last_attempt() throws Exception {
    IdempotentReceiver<String> receiver = open(probing(answering(Answer.APPLIED))
        .retry(new RetrySettings(1, Duration.ofSeconds(1), Duration.ofSeconds(1)))
        .leased(marks, this::chargeAndTimeOut));

    receiveOne(receiver, "a");
    clock.advance(Duration.ofMinutes(2));

    assertThat(receiveOne(receiver, "a")).isInstanceOf(Outcome.Duplicate.class);
    assertThat(buried).isEmpty();
  }

  @Test
  void what_a_vanished_owner_did_not_do_runs() throws Exception {
    lost(true, "a");
    IdempotentReceiver<String> receiver =
        open(probing(answering(Answer.NOT_APPLIED)).leased(marks, this::record));

    assertThat(receiveOne(receiver, "a")).isInstanceOf(Outcome.Executed.class);
    assertThat(effects).containsExactly("a");
    assertThat(asked).hasValue(1);
  }

  @Test
  void a_message_that_is_not_in_doubt_is_not_probed() throws Exception {
    IdempotentReceiver<String> receiver =
        open(probing(answering(Answer.APPLIED)).leased(marks, refusedAtFirst()));

    receiveOne(receiver, "a");
    clock.advance(Duration.ofMinutes(2));

    assertThat(receiveOne(receiver, "a")).isInstanceOf(Outcome.Executed.class);
    assertThat(asked).hasValue(0);
  }

  @Test
  void an_effect_that_appears_in_the_quiet_period_is_not_repeated() throws Exception {
    lost(true, "a");
    ProbeSettings quiet = new ProbeSettings(Duration.ofSeconds(20), Duration.ofMillis(50));
    IdempotentReceiver<String> receiver = open(
        probing(answering(Answer.NOT_APPLIED, Answer.APPLIED), quiet).leased(marks, this::record));

    assertThat(receiveOne(receiver, "a")).isInstanceOf(Outcome.Duplicate.class);
    assertThat(effects).isEmpty();
    assertThat(asked).hasValue(2);
  }

  @Test
  void an_unknown_outcome_waits_in_doubt_and_is_dead_lettered_at_last() throws Exception {
    IdempotentReceiver<String> receiver = open(
        probing(answering(Answer.unknown("no such index"))).leased(marks, this::chargeAndTimeOut));

    List<Duration> waits = new ArrayList<>();
    for (int attempt = 1; attempt <= 3; attempt++) {
      Outcome.Deferred deferred = (Outcome.Deferred) receiveOne(receiver, "a");
      assertThat(deferred.reason()).isEqualTo(Outcome.Reason.RETRY);
      waits.add(deferred.after());
      assertThat(mark("a").claim().attempt().inDoubt()).isTrue();
      clock.advance(Duration.ofMinutes(20));
    }
    assertThat(waits)
        .containsExactly(Duration.ofMinutes(1), Duration.ofMinutes(2), Duration.ofMinutes(4));
    Outcome last = receiveOne(receiver, "a");

    assertThat(last).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(effects).containsExactly("a");
    assertThat(buried).extracting(DeadLetter::kind).containsExactly(DeadLetter.Kind.IN_DOUBT);
    assertThat(buried.get(0).detail()).contains("no such index");
    assertThat(receiver.problems()).asString().contains("no such index");
  }

  @Test
  void a_failed_probe_is_repeated_later_and_acknowledges_nothing() throws Exception {
    lost(true, "a");
    IdempotentReceiver<String> receiver = open(probing(delivery -> {
          if (asked.incrementAndGet() == 1) {
            throw new IllegalStateException("connection refused");
          }
          return Answer.APPLIED;
        })
        .leased(marks, this::record));

    assertThat(reason(receiveOne(receiver, "a"))).isEqualTo(Outcome.Reason.RETRY);
    clock.advance(Duration.ofMinutes(20));

    assertThat(receiveOne(receiver, "a")).isInstanceOf(Outcome.Duplicate.class);
    assertThat(effects).isEmpty();
    assertThat(receiver.problems()).isEmpty();
  }

  @Test
  void a_hung_probe_that_ignores_its_interrupt_delays_no_message() throws Exception {
    lost(true, "a");
    CountDownLatch over = new CountDownLatch(1);
    AtomicInteger interrupts = new AtomicInteger();
    IdempotentReceiver<String> receiver =
        open(probing(delivery -> hang(over, interrupts::incrementAndGet), IMPATIENT)
            .leased(marks, this::record));

    Outcome outcome = receiveOne(receiver, "a");

    assertThat(reason(outcome)).isEqualTo(Outcome.Reason.RETRY);
    assertThat(mark("a").state()).isEqualTo(MarkState.RETRY);
    assertThat(mark("a").claim().attempt().inDoubt()).isTrue();
    assertThat(receiver.problems()).asString().contains("did not answer within");
    eventually(() -> interrupts.get() == 1);
    over.countDown();
  }

  @Test
  void an_answer_after_the_timeout_is_dropped() throws Exception {
    lost(true, "a");
    CountDownLatch over = new CountDownLatch(1);
    IdempotentReceiver<String> receiver = open(
        probing(delivery -> hang(over, over::countDown), IMPATIENT).leased(marks, this::record));

    Outcome outcome = receiver.receiveOnCallerThread(lane("p0", "a"), PATIENCE).get(0);

    assertThat(reason(outcome)).isEqualTo(Outcome.Reason.RETRY);
    assertThat(receiver.problems()).asString().contains("did not answer within");
  }

  private static Answer hang(CountDownLatch over, Runnable onInterrupt) {
    awaitUninterruptibly(over, onInterrupt);
    return Answer.APPLIED;
  }

  @Test
  @DisplayName("invariant 16: what waits for the quiet period is given back when its lane is")
  void what_waits_for_the_quiet_period_can_be_given_up() throws Exception {
    lost(true, "a");
    CountDownLatch waiting = new CountDownLatch(1);
    OutcomeProbe<String> probe = delivery -> {
      waiting.countDown();
      return Answer.NOT_APPLIED;
    };
    IdempotentReceiver<String> receiver = open(probing(probe, PATIENT).leased(marks, this::record));
    Outcomes outcomes = new Outcomes(1);
    Submission submission = receiver.submit(lane("p0", "a"), outcomes);
    waiting.await();

    submission.abandon();

    awaitAll(submission);
    assertThat(reason(outcomes.seen.get(0).get(0))).isEqualTo(Outcome.Reason.ABANDONED);
    assertThat(mark("a").state()).isEqualTo(MarkState.RETRY);
    assertThat(mark("a").claim().attempt().inDoubt()).isTrue();
    assertThat(effects).isEmpty();
  }

  @Test
  void a_message_in_its_quiet_period_does_not_delay_another_suspect() throws Exception {
    lost(true, "a", "b");
    OutcomeProbe<String> probe =
        delivery -> delivery.message().equals("a") ? Answer.NOT_APPLIED : Answer.APPLIED;
    IdempotentReceiver<String> receiver = open(probing(probe, PATIENT).leased(marks, this::record));

    receiver.submit(lane("p0", "a"), IGNORED);
    Outcome other = receiver.receive(lane("p1", "b"), PATIENCE).get(0);

    assertThat(other).isInstanceOf(Outcome.Duplicate.class);
  }

  @Test
  void at_most_once_never_runs_what_a_vanished_owner_may_have_done() throws Exception {
    lost(true, "a");
    IdempotentReceiver<String> receiver = open(
        builder().onUnknownOutcome(UnknownOutcomePolicy.deadLetter()).leased(marks, this::record));

    assertThat(receiveOne(receiver, "a")).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(effects).isEmpty();
    assertThat(buried).extracting(DeadLetter::kind).containsExactly(DeadLetter.Kind.IN_DOUBT);
  }

  @Test
  void at_most_once_dead_letters_a_failure_that_may_have_taken_effect() throws Exception {
    IdempotentReceiver<String> receiver = open(builder()
        .onUnknownOutcome(UnknownOutcomePolicy.deadLetter())
        .leased(marks, this::chargeAndTimeOut));

    assertThat(receiveOne(receiver, "a")).isInstanceOf(Outcome.DeadLettered.class);
    clock.advance(Duration.ofMinutes(20));
    receiveOne(receiver, "a");

    assertThat(effects).containsExactly("a");
    assertThat(buried).extracting(DeadLetter::kind).containsExactly(DeadLetter.Kind.IN_DOUBT);
    assertThat(buried.get(0).detail()).contains("the gateway timed out");
  }

  @Test
  void at_most_once_retries_what_certainly_took_no_effect() throws Exception {
    IdempotentReceiver<String> receiver = open(builder()
        .onUnknownOutcome(UnknownOutcomePolicy.deadLetter())
        .leased(marks, refusedAtFirst()));

    receiveOne(receiver, "a");
    clock.advance(Duration.ofMinutes(2));

    assertThat(receiveOne(receiver, "a")).isInstanceOf(Outcome.Executed.class);
    assertThat(effects).containsExactly("a");
  }

  @Test
  void every_answer_of_the_downstream_is_reported_to_the_listener() throws Exception {
    lost(true, "a");
    ReceiverListener listener = new ReceiverListener() {
      @Override
      public void onProbed(MessageKey key, Answer answer) {
        told.put(key.id().toString(), answer);
      }
    };

    receiveOne(
        open(probing(answering(Answer.APPLIED)).listener(listener).leased(marks, this::record)),
        "a");

    assertThat(told).containsExactly(Map.entry("a", Answer.APPLIED));
  }

  @Test
  void a_mark_names_the_machine_and_the_process_of_its_owner() throws Exception {
    receiveOne(open(builder().leased(marks, this::chargeAndTimeOut)), "a");

    assertThat(mark("a").claim().origin().owner())
        .isEqualTo(InetAddress.getLocalHost().getHostName() + "-"
            + ProcessHandle.current().pid() + "/" + SCOPE);
  }
}
