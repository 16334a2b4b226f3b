package io.hapax.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.runtime.TestSettings;
import io.hapax.mark.ClaimRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchClaimsTest {

  private final TestRunning running = new TestRunning(new TestSettings());
  private final BatchClaims<String> claims =
      new BatchClaims<>(running.claims.requests, running.messages.outcomes);
  private final List<InFlightMessage<String>> items = running.claims.read("A", "B");
  private final InFlightMessage<String> a = items.get(0);
  private final InFlightMessage<String> b = items.get(1);

  private List<ClaimRequest> begin() {
    return claims.begin(items, new ArrayList<>());
  }

  @Test
  void a_message_that_was_given_up_is_not_part_of_the_transaction() {
    running.messages.outcomes.giveUp(List.of(a), Deferrals.ABANDONED);
    List<InFlightMessage<String>> begun = new ArrayList<>();

    assertThat(claims.begin(items, begun)).hasSize(1);

    assertThat(begun).containsExactly(b);
  }

  @Test
  void a_transaction_that_is_repeated_sends_the_same_requests() {
    List<ClaimRequest> first = begin();
    claims.end(items, false);

    assertThat(begin()).isEqualTo(first);
  }

  @Test
  void messages_may_start_again_after_a_rollback_only() {
    var unused = begin();
    claims.end(List.of(a), false);
    claims.end(List.of(b), true);

    assertThat(a.start()).isTrue();
    assertThat(b.start()).isFalse();
    assertThat(items).noneMatch(InFlightMessage::isHandling);
  }
}
