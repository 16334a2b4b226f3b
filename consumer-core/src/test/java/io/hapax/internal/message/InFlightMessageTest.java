package io.hapax.internal.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.Environment;
import io.hapax.internal.runtime.Platform;
import io.hapax.internal.runtime.SystemTime;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.store.InMemoryDedupStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What two threads may do with a message at the same time. */
class InFlightMessageTest implements Outcomes.Reactions<String> {

  private static final MessageKey KEY = MessageKey.of("orders", Bytes.utf8("a"));

  private final Environment env =
      Platform.ofThisMachine().starter().start(SystemTime.INSTANCE, "test", 1, Optional.empty());
  private final Events events = new Events(List.of(), SystemTime.INSTANCE, SystemTime.INSTANCE);
  private final Outcomes<String> outcomes = new Outcomes<>(
      env,
      InFlightIds.of(new InMemoryDedupStore()),
      events,
      new BlockedMessages(SystemTime.INSTANCE, events),
      new Submissions<>(SystemTime.INSTANCE));
  private final Incoming<String> incoming = new Incoming<>("a", "p0", "p0@0", false);
  private final InFlightMessage<String> message = new InFlightMessage<>(
      new ActiveSubmission<>(
          this,
          (index, outcome) -> {},
          List.of(incoming),
          SystemTime.INSTANCE,
          Optional.empty(),
          Optional.empty()),
      0,
      incoming,
      Optional.of(KEY),
      Fingerprint.NONE);
  private final List<Boolean> asking = new ArrayList<>();

  @AfterEach
  void stop() {
    env.stop();
  }

  @Override
  public Outcomes<String> outcomes() {
    return outcomes;
  }

  /** Asks for the claim at the last moment before the message that was given up is finished. */
  @Override
  public boolean answers(InFlightMessage<String> givenUp, Outcome outcome) {
    ClaimTerms terms = new ClaimTerms(false, true, ClaimTerms.ANY_TIME);
    givenUp.ask(new ClaimRequest(
        KEY, new Nonce(1, 1), Fingerprint.NONE, new Origin("owner", "p0@0"), terms));
    asking.add(givenUp.asking());
    return false;
  }

  @Override
  public void conflicts(InFlightMessage<String> follower) {
    throw new AssertionError("no message follows");
  }

  @Override
  public void release(InFlightMessage<String> claimed, Outcome outcome) {
    throw new AssertionError("no claim was acquired");
  }

  @Test
  @DisplayName("invariant 16: no claim is sent for a message that is about to finish as given up")
  void a_message_that_was_given_up_is_not_claimed_any_more() {
    outcomes.giveUp(List.of(message), Deferrals.ABANDONED);

    assertThat(asking).containsExactly(false);
    assertThat(message.outcome()).contains(Deferrals.ABANDONED);
  }
}
