package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.internal.Engine;
import io.hapax.mark.ClaimAnswer;
import io.hapax.store.DedupStore;
import io.hapax.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The outcomes of messages whose claims fail unexpectedly, for example without memory. */
@DisplayName("invariant 14: whatever breaks while claims are sent, every message gets its outcome")
class BrokenClaimsTest extends FaultFixture {

  private final CountDownLatch started = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);

  /** What happens to claims. */
  private volatile Fault fault = (verb, items, call) -> call.go();

  private final DedupStore store = faulty((verb, items, call) -> {
    boolean claims = verb.equals("claim");
    return claims ? fault.through(verb, items, call) : call.go();
  });

  private final Engine<String> engine = opened(machine(Executors.newCachedThreadPool())
      .leased(engineSettings(LeaseSettings.DEFAULT), store, delivery -> {
        if (delivery.message().equals("long")) {
          started.countDown();
          release.await();
        }
        effects.add(delivery.message());
      }));

  @AfterEach
  void letGo() {
    release.countDown();
  }

  /** The first one fails where it joins the next call, the other one where it is to wait for it. */
  @ParameterizedTest
  @ValueSource(strings = {"join", "resume"})
  void a_claim_that_breaks_when_it_is_to_be_sent_again_is_deferred(String method) throws Exception {
    fault = (verb, items, call) -> {
      breaking.set(method);
      throw new StoreException("connection refused");
    };
    Outcomes outcomes = new Outcomes(1);

    Submission submission = engine.submit(lane("p0", "a"), outcomes);

    awaitAll(submission);
    assertThat(reason(outcomes, 0)).isEqualTo(Outcome.Reason.INTERNAL_ERROR);
    fault = (verb, items, call) -> call.go();
    assertThat(engine.receive(lane("p0", "a"), PATIENCE))
        .hasOnlyElementsOfType(Outcome.Executed.class);
  }

  @Test
  void unclaimed_messages_behind_a_broken_one_are_deferred_too() throws Exception {
    breaking.set("join");
    Outcomes outcomes = new Outcomes(2);

    Submission submission = engine.submit(lane("p0", "a", "=nameless"), outcomes);

    awaitAll(submission);
    assertThat(reason(outcomes, 0)).isEqualTo(Outcome.Reason.INTERNAL_ERROR);
    assertThat(reason(outcomes, 1)).isEqualTo(Outcome.Reason.BLOCKED);
    assertThat(buried).isEmpty();
  }

  /** Its outcome would end the renewal of its lease while its handler runs. */
  @Test
  void a_running_message_is_not_affected_by_a_broken_claim_of_another_lane() throws Exception {
    fault = (verb, items, call) -> {
      List<ClaimAnswer> answers = new ArrayList<>();
      for (Object answer : (List<?>) call.go()) {
        answers.add((ClaimAnswer) answer);
      }
      answers.set(answers.size() - 1, new ClaimAnswer.Unavailable("its node is away"));
      breaking.set(started.getCount() == 0 ? "join" : "");
      return answers;
    };
    Outcomes outcomes = new Outcomes(2);

    engine.submit(both(lane("p0", "long"), lane("p1", "away")), outcomes);

    eventually(() -> !outcomes.seen.get(1).isEmpty());
    assertThat(reason(outcomes, 1)).isEqualTo(Outcome.Reason.INTERNAL_ERROR);
    assertThat(outcomes.seen.get(0)).isEmpty();
    release.countDown();
    eventually(() -> !outcomes.seen.get(0).isEmpty());
    assertThat(outcomes.seen.get(0)).hasOnlyElementsOfType(Outcome.Executed.class);
  }
}
