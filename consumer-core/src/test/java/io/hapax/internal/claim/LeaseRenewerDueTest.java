package io.hapax.internal.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.LeaseSettings;
import io.hapax.health.Problem;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.TestMessages;
import io.hapax.internal.runtime.TestSettings;
import io.hapax.internal.settle.TestSettling;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Leases of 30 s, which are renewed every 10 s: the timer looks every 5 s. */
class LeaseRenewerDueTest {

  private final TestSettling parts = new TestSettling(new TestSettings());
  private final TestMessages messages = parts.messages;
  private final LeaseRenewer<String> renewer = new LeaseRenewer<>(
      parts.checked,
      LeaseSettings.DEFAULT,
      messages.threads.env(),
      messages.events,
      messages.submissions);
  private final InFlightMessage<String> message = parts.claim("A");

  @BeforeEach
  void start() {
    renewer.start();
  }

  private void advance(int seconds) {
    messages.threads.advance(Duration.ofSeconds(seconds));
  }

  @Test
  void a_lease_is_renewed_before_it_is_older_than_the_interval() {
    advance(5);
    assertThat(parts.store.calls).isEmpty();

    advance(5);

    assertThat(parts.store.calls).containsExactly("renew 1");
    assertThat(message.lease.remaining()).hasSeconds(30);
  }

  @Test
  void a_claim_that_is_finished_or_not_renewable_is_not_renewed() {
    message.lease.stopRenewal();
    InFlightMessage<String> finished = parts.claim("B");
    finished.finish(Deferrals.ABANDONED);

    advance(30);

    assertThat(parts.store.calls).isEmpty();
  }

  @Test
  void renewals_that_fail_for_more_than_two_intervals_are_a_problem() {
    parts.store.down = true;
    advance(20);
    assertThat(messages.problems()).doesNotContain(Problem.Kind.LEASE_RENEWAL);

    advance(10);
    assertThat(messages.problems()).contains(Problem.Kind.LEASE_RENEWAL);
    parts.store.down = false;
    advance(10);

    assertThat(messages.problems()).doesNotContain(Problem.Kind.LEASE_RENEWAL);
  }

  @Test
  void a_handler_is_notified_when_its_claim_is_taken_over() {
    message.beginHandling();
    var lost = message.lease.lost().toCompletableFuture();
    parts.store.down = true;
    advance(30);
    parts.store.down = false;
    var unused = parts.claim("A");

    advance(5);

    assertThat(lost).isCompleted();
    assertThat(message.lease.renewable()).isFalse();
  }

  @Test
  void a_handler_is_notified_when_its_lease_has_expired() {
    message.beginHandling();
    var lost = message.lease.lost().toCompletableFuture();
    parts.store.down = true;

    advance(29);
    assertThat(lost).isNotDone();
    advance(1);

    assertThat(lost).isCompleted();
    assertThat(message.lease.renewable()).as("another owner may not have come").isTrue();
  }
}
