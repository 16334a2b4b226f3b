package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.OutcomeProbe.Answer;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.mark.MarkState;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** More messages are in doubt than the probe may be asked about at once. */
class BulkheadTest extends FaultFixture {

  private static final int WORKERS = 2;
  private static final int AT_ONCE = 2 * WORKERS;
  private static final Duration LONG = Duration.ofSeconds(20);

  private final ScheduledExecutorService downstream = Executors.newSingleThreadScheduledExecutor();
  private final AtomicBoolean away = new AtomicBoolean(true);
  private final AtomicInteger inside = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private final Set<String> asked = ConcurrentHashMap.newKeySet();
  private final CountDownLatch over = new CountDownLatch(1);

  @AfterEach
  void stopDownstream() {
    over.countDown();
    downstream.shutdownNow();
  }

  private void handle(Delivery<String> delivery) {
    if (away.get()) {
      throw new IllegalStateException("the downstream is away");
    }
    effects.add(delivery.message());
  }

  private Answer afterAWhile(Delivery<String> delivery) throws Exception {
    asked.add(delivery.message());
    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
    try {
      return downstream
          .schedule(() -> Answer.NOT_APPLIED, 10, TimeUnit.MILLISECONDS)
          .get();
    } finally {
      inside.decrementAndGet();
    }
  }

  private Answer untilOver(Delivery<String> delivery) {
    asked.add(delivery.message());
    awaitUninterruptibly(over);
    return Answer.NOT_APPLIED;
  }

  private IdempotentReceiver<String> receiver(OutcomeProbe<String> probe, Duration timeout) {
    return open(builder()
        .workers(WORKERS)
        .onUnknownOutcome(
            UnknownOutcomePolicy.probe(probe, new ProbeSettings(timeout, Duration.ZERO)))
        .leased(marks, this::handle));
  }

  private static List<Incoming<String>> lanes(int count) {
    return apart(IntStream.range(0, count).mapToObj(i -> "m" + i).toList());
  }

  private static void isInDoubt(List<Outcome> outcomes) {
    assertThat(outcomes).extracting(FaultFixture::reason).containsOnly(Outcome.Reason.RETRY);
  }

  /** All messages fail once, so that they are in doubt, and come due again. */
  private void allInDoubt(IdempotentReceiver<String> receiver, List<Incoming<String>> messages)
      throws Exception {
    isInDoubt(receiver.receive(messages, LONG));
    away.set(false);
    clock.advance(Duration.ofMinutes(20));
  }

  @Test
  void what_comes_due_together_waits_for_its_turn_and_costs_no_attempt() throws Exception {
    List<Incoming<String>> messages = lanes(200);
    IdempotentReceiver<String> receiver = receiver(this::afterAWhile, LONG);
    allInDoubt(receiver, messages);

    List<Outcome> outcomes = receiver.receive(messages, LONG);

    assertThat(buried).isEmpty();
    assertThat(outcomes)
        .allSatisfy(it -> assertThat(it)
            .isInstanceOfSatisfying(
                Outcome.Executed.class, done -> assertThat(done.attempt()).isEqualTo(2)));
    assertThat(effects).doesNotHaveDuplicates().hasSize(200);
    assertThat(asked).hasSize(200);
    assertThat(most.get()).isLessThanOrEqualTo(AT_ONCE);
    assertThat(receiver.problems()).isEmpty();
  }

  @Test
  void no_message_waits_for_probes_when_the_maximum_number_hangs() throws Exception {
    List<Incoming<String>> messages = lanes(20);
    IdempotentReceiver<String> receiver = receiver(this::untilOver, Duration.ofMillis(50));
    allInDoubt(receiver, messages);

    isInDoubt(receiver.receive(messages, LONG));
    assertThat(asked).hasSize(AT_ONCE);
    clock.advance(Duration.ofMinutes(20));
    isInDoubt(receiver.receive(lanes(1), LONG));

    assertThat(asked).hasSize(AT_ONCE);
    assertThat(effects).isEmpty();
    assertThat(receiver.problems())
        .asString()
        .contains("all probes that may run at once are hanging");
  }

  @Test
  void what_hangs_leaves_the_rest_of_the_turns_to_the_others() throws Exception {
    List<Incoming<String>> messages = lanes(40);
    IdempotentReceiver<String> receiver = receiver(
        it -> it.message().equals("m0") ? untilOver(it) : afterAWhile(it), Duration.ofSeconds(2));
    allInDoubt(receiver, messages);

    List<Outcome> outcomes = receiver.receive(messages, LONG);

    isInDoubt(outcomes.subList(0, 1));
    assertThat(outcomes.subList(1, 40)).hasOnlyElementsOfType(Outcome.Executed.class);
  }

  @Test
  void a_message_abandoned_before_its_probe_is_never_probed() throws Exception {
    List<Incoming<String>> messages = lanes(20);
    IdempotentReceiver<String> receiver = receiver(this::untilOver, LONG);
    allInDoubt(receiver, messages);
    Submission submission = receiver.submit(messages, new Outcomes(20));
    eventually(() -> asked.size() == AT_ONCE);

    submission.abandon();
    awaitAll(submission);
    over.countDown();
    assertThat(receiver.receive(lane("other", "new"), LONG)).hasSize(1);

    assertThat(asked).hasSize(AT_ONCE);
    assertThat(mark("m19").state()).isEqualTo(MarkState.RETRY);
    assertThat(mark("m19").claim().attempt().inDoubt()).isTrue();
  }
}
