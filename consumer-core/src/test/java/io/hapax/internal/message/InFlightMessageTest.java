package io.hapax.internal.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.internal.runtime.TestSettings;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class InFlightMessageTest {

  private static final Deferred BUSY = Deferrals.busy(Duration.ofSeconds(9));

  private static final ClaimRequest REQUEST = new ClaimRequest(
      MessageKey.of("orders", "A"),
      new Nonce(1, 2),
      Fingerprint.NONE,
      Origin.NONE,
      new ClaimTerms(false, true, ClaimTerms.ANY_TIME));

  private final TestMessages messages = new TestMessages();
  private final InFlightMessage<String> message = messages.message("A");

  @Test
  void a_deferral_stops_the_lane_of_its_message() {
    assertThat(message.stop()).isEmpty();

    message.finish(BUSY);

    assertThat(message.stop()).hasValue(BUSY);
  }

  @Test
  void no_outcome_stops_a_lane_without_order() {
    InFlightMessage<String> unordered = messages
        .read(
            new TestSettings(),
            Optional.empty(),
            List.of(new Incoming<>("A", "p0", false, "p0@A", false, Incoming.NO_TIMESTAMP)))
        .get(0);
    unordered.finish(BUSY);
    message.finish(new Outcome.Executed(7, 1));

    assertThat(unordered.stop()).isEmpty();
    assertThat(message.stop()).as("not deferred").isEmpty();
  }

  @Test
  void a_message_that_was_given_up_stops_its_lane_before_its_outcome() {
    message.ask(REQUEST);

    messages.outcomes.giveUp(List.of(message), BUSY);

    assertThat(message.stop()).isEmpty();
    assertThat(message.expectedStop()).hasValue(BUSY);
  }

  @Test
  void an_outcome_that_is_known_has_no_followers_and_no_user_code() {
    assertThat(message.follow(messages.message("A"))).isTrue();
    assertThat(message.beginHandling()).isTrue();

    message.finish(BUSY);

    assertThat(message.follow(messages.message("A"))).isFalse();
    assertThat(message.whenFinished(() -> {})).isFalse();
    assertThat(message.beginHandling()).isFalse();
    assertThat(message.followers()).hasSize(1);
  }

  @Test
  void every_action_runs_after_the_outcome_although_one_throws() {
    List<String> ran = new ArrayList<>();
    message.whenFinished(() -> {
      throw new IllegalStateException("first");
    });
    message.whenFinished(() -> ran.add("second"));

    assertThatThrownBy(() -> messages.outcomes.finish(message, BUSY)).hasMessage("first");

    assertThat(ran).containsExactly("second");
  }
}
