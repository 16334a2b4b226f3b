package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Claim;
import io.hapax.mark.MessageKey;
import io.hapax.store.DedupStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a running handler learns, and what is counted, when its lease is renewed or lost. */
class LeaseRenewerTest extends FaultFixture implements ReceiverListener {

  private static final LeaseSettings SHORT = LeaseSettings.of(Duration.ofMillis(600));

  private final DedupStore store = faulty((verb, items, call) -> call.go());
  private final AtomicInteger fenced = new AtomicInteger();
  private final AtomicInteger lost = new AtomicInteger();
  private final CountDownLatch noticed = new CountDownLatch(1);
  private final CountDownLatch fencedAgain = new CountDownLatch(1);

  @Override
  public void onFenced(MessageKey key, long token) {
    if (fenced.incrementAndGet() > 1) {
      fencedAgain.countDown();
    }
    noticed.countDown();
  }

  @Override
  public void onMarkLost(MessageKey key, long token) {
    lost.incrementAndGet();
    noticed.countDown();
  }

  private void receive(LeaseSettings lease, MessageHandler<String> handler) throws Exception {
    open(builder().lease(lease).listener(this).leased(store, handler))
        .receive(lane("p0", "a"), PATIENCE);
  }

  private boolean noticed() throws InterruptedException {
    return noticed.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Test
  @DisplayName("invariant 9: a mark that was lost is counted when its claim is settled")
  void the_settlement_reports_a_lost_mark() throws Exception {
    receive(LeaseSettings.DEFAULT, delivery -> loseMarks());

    assertThat(lost).hasValue(1);
  }

  @Test
  @DisplayName("invariant 9: a mark that was lost is counted while its handler runs")
  void the_renewal_reports_a_lost_mark() throws Exception {
    List<Boolean> during = new CopyOnWriteArrayList<>();

    receive(STEADY, delivery -> {
      loseMarks();
      during.add(noticed());
    });

    assertThat(during).containsExactly(true);
    assertThat(lost).hasValue(1);
  }

  @Test
  @DisplayName("invariant 9: a claim taken over is counted once, while its handler runs")
  void a_handler_learns_that_its_claim_was_taken_over() throws Exception {
    List<Boolean> during = new CopyOnWriteArrayList<>();

    receive(STEADY, delivery -> {
      during.add(delivery.isCurrent());
      clock.advance(Duration.ofHours(1));
      claimedElsewhere("a", true, Duration.ofHours(1));
      during.add(noticed());
      HandlerTimeoutTest.awaitSignal(delivery);
      HandlerTimeoutTest.awaitSignal(delivery); // a callback that is added after the loss
      during.add(delivery.isCurrent());
      fencedAgain.await(1, TimeUnit.SECONDS); // several renewals
    });

    assertThat(during).containsExactly(true, true, false);
    assertThat(fenced).hasValue(1);
  }

  @Test
  void a_handler_stays_current_while_its_lease_is_renewed() throws Exception {
    List<Boolean> during = new CopyOnWriteArrayList<>();

    receive(SHORT, delivery -> {
      Instant first = until();
      eventually(() -> until().isAfter(first.plus(SHORT.lease()).plus(SHORT.lease())));
      during.add(delivery.isCurrent());
    });

    assertThat(during).containsExactly(true);
  }

  private Instant until() {
    return mark("a").until();
  }

  @Test
  void a_closed_receiver_that_renews_nothing_has_no_problem() throws Exception {
    IdempotentReceiver<String> receiver =
        open(builder().lease(SHORT).leased(store, delivery -> {}));
    receive(receiver, "a");

    receiver.close();

    Awaitility.await()
        .during(SHORT.lease())
        .atMost(PATIENCE)
        .until(() -> receiver.problems().isEmpty());
  }

  @Test
  void a_settled_claim_is_not_renewed_while_its_neighbour_runs() throws Exception {
    List<MessageKey> renewed = new CopyOnWriteArrayList<>();
    Fault watching =
        before("renew", items -> items.forEach(item -> renewed.add(((Claim) item).key())));
    CountDownLatch settled = new CountDownLatch(1);
    IdempotentReceiver<String> receiver =
        open(builder().workers(2).lease(STEADY).leased(faulty(watching), delivery -> {
          if (delivery.message().equals("slow")) {
            settled.await();
            renewed.clear();
            eventually(() -> renewed.contains(key("slow")));
          }
        }));

    receiver
        .submit(both(lane("p0", "slow"), lane("p1", "a")), (index, outcome) -> settled.countDown())
        .await(PATIENCE);

    assertThat(renewed).isNotEmpty().containsOnly(key("slow"));
  }
}
