package io.hapax.internal.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.internal.runtime.ManualThreads;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HeldLeaseTest {

  private static final Duration MARGIN = Duration.ofSeconds(5);

  private final ManualThreads threads = new ManualThreads();
  private final HeldLease lease = new HeldLease(threads);

  @BeforeEach
  void thirtySeconds() {
    lease.until(Duration.ofSeconds(30).toNanos());
  }

  @Test
  void a_lease_lasts_until_less_than_the_margin_is_left() {
    threads.advance(Duration.ofSeconds(25));
    assertThat(lease.lasts(MARGIN)).isTrue();

    threads.advance(Duration.ofNanos(1));

    assertThat(lease.lasts(MARGIN)).isFalse();
  }

  @Test
  void a_lease_runs_out_at_its_end_unless_a_transaction_protects_it() {
    long end = Duration.ofSeconds(30).toNanos();
    assertThat(lease.ranOut(end - 1)).isFalse();
    assertThat(lease.ranOut(end)).isTrue();

    lease.inTransaction(true);

    assertThat(lease.ranOut(end)).isFalse();
  }

  @Test
  void a_fenced_lease_is_reported_once_and_not_renewed() {
    assertThat(lease.renewable()).isTrue();

    assertThat(lease.fence()).isTrue();

    assertThat(lease.fence()).isFalse();
    assertThat(lease.renewable()).isFalse();
  }

  @Test
  void the_loss_is_signalled_also_to_a_handler_that_subscribes_later() {
    var before = lease.lost().toCompletableFuture();
    lease.signalLoss(threads.threads());
    assertThat(before).isNotDone();

    threads.run();

    assertThat(before).isCompleted();
    HeldLease other = new HeldLease(threads);
    other.signalLoss(threads.threads());
    assertThat(other.lost().toCompletableFuture()).isCompleted();
  }
}
