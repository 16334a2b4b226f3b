package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers of a store that are incomplete, break off or do not arrive. */
class PartialAnswersTest extends FaultFixture {

  @Test
  @DisplayName("invariant 16: a claim is not kept unstarted because another lane's shard is away")
  void a_lane_whose_shard_answers_runs_while_another_shard_is_away() throws Exception {
    AtomicBoolean away = new AtomicBoolean(true);
    Fault shard = (verb, items, call) -> {
      Object answers = call.go();
      if (!verb.equals("claim") || !away.get()) {
        return answers;
      }
      List<Object> some = new ArrayList<>();
      for (int i = 0; i < items.size(); i++) {
        boolean lost = ((ClaimRequest) items.get(i)).key().equals(key("b"));
        some.add(lost ? new ClaimAnswer.Unavailable("shard 2") : ((List<?>) answers).get(i));
      }
      return some;
    };
    IdempotentReceiver<String> receiver = open(builder().leased(faulty(shard), this::record));
    Outcomes outcomes = new Outcomes(2);

    Submission submission = receiver.submit(both(lane("p0", "a"), lane("p1", "b")), outcomes);
    boolean ran = outcomes.awaitFirst();
    away.set(false);
    submission.await(PATIENCE);

    assertThat(ran)
        .as("the message of the healthy shard was executed during the outage")
        .isTrue();
  }

  @Test
  void a_verdict_of_a_healthy_shard_is_settled_while_another_shard_is_away() throws Exception {
    AtomicBoolean away = new AtomicBoolean(true);
    CountDownLatch refused = new CountDownLatch(1);
    Fault shard = (verb, items, call) -> {
      if (!verb.equals("settle") || !away.get()) {
        return call.go();
      }
      List<SettleAnswer> answers = new ArrayList<>();
      for (Object item : items) {
        boolean lost = ((Settlement) item).claim().key().equals(key("b"));
        answers.add(
            lost
                ? new SettleAnswer.Unavailable("shard 2")
                : marks.settle(List.of((Settlement) item)).get(0));
        if (lost) {
          refused.countDown();
        }
      }
      return answers;
    };
    IdempotentReceiver<String> receiver = open(builder().leased(faulty(shard), this::record));
    Submission stuck = receiver.submit(lane("p1", "b"), IGNORED);
    refused.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);

    Submission healthy = receiver.submit(lane("p0", "a"), IGNORED);
    boolean settled = healthy.await(PATIENCE);
    away.set(false);
    stuck.await(PATIENCE);

    assertThat(effects).contains("a");
    assertThat(settled).as("the healthy shard's message has its outcome").isTrue();
  }

  @Test
  @DisplayName(
      "invariants 1 and 9: a message that is finished stays finished when its claim is sent again")
  void an_answer_that_breaks_off_gives_no_message_two_outcomes() throws Exception {
    open(builder().leased(marks, delivery -> {})).receive(lane("p0", "known"), PATIENCE);
    AtomicBoolean armed = new AtomicBoolean(true);
    Fault fault = (verb, items, call) -> {
      Object answers = call.go();
      return verb.equals("claim") && items.size() == 2 && armed.getAndSet(false)
          ? ((List<?>) answers).subList(0, 1)
          : answers;
    };
    Gate handler = new Gate();
    IdempotentReceiver<String> receiver =
        open(builder().leased(faulty(fault), delivery -> handler.pass()));
    Outcomes outcomes = new Outcomes(2);

    Submission submission = receiver.submit(lane("p0", "known", "running"), outcomes);
    handler.awaitReached();
    boolean finishedWhileRunning = submission.await(Duration.ZERO);
    handler.open();
    submission.await(PATIENCE);

    assertThat(outcomes.seen.get(0)).as("outcomes of the known message").hasSize(1);
    assertThat(finishedWhileRunning)
        .as("all outcomes stand while a handler runs")
        .isFalse();
  }

  private static boolean solo(String verb, List<?> items) {
    return verb.equals("claim") && ((ClaimRequest) items.get(0)).terms().solo();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @DisplayName("invariants 6 and 10: a solo claim without an answer is sent again as it was")
  void unanswered_solo_claims_do_not_dead_letter_a_message_that_never_ran(boolean lost)
      throws Exception {
    lost(false, "a");
    int[] replies = {0};
    Fault unanswered = (verb, items, call) -> {
      Object answers = call.go();
      if (!solo(verb, items) || replies[0]++ >= 4) {
        return answers;
      }
      if (lost) {
        throw new StoreException("the reply was lost");
      }
      return List.of(new ClaimAnswer.Unavailable("the shard's reply was lost"));
    };
    IdempotentReceiver<String> receiver = open(builder().leased(faulty(unanswered), this::record));

    for (int i = 0; i < 5 && effects.isEmpty() && buried.isEmpty(); i++) {
      receive(receiver, "a");
      clock.advance(Duration.ofMinutes(1));
    }

    assertThat(buried).as("dead letters of a message that never ran").isEmpty();
    assertThat(effects).containsExactly("a");
  }

  @Test
  @DisplayName("invariant 10: a suspect whose claim came too late is claimed alone again")
  void a_solo_claim_that_came_too_late_stays_solo() throws Exception {
    lost(false, "a");
    int[] claims = {0};
    Fault late = (verb, items, call) -> {
      if (solo(verb, items) && claims[0]++ == 0) {
        clock.advance(Duration.ofMinutes(1));
      }
      return call.go();
    };
    IdempotentReceiver<String> receiver = open(builder().leased(faulty(late), delivery -> {}));

    assertThat(receive(receiver, "a")).allMatch(Outcome.Executed.class::isInstance);
    assertThat(claims).containsExactly(2);
  }
}
