package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.mark.MarkState;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.store.StoreException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Settlements that the store does not take at once. */
class SettleFaultsTest extends FaultFixture {

  private static boolean holds(List<?> settlements, String id) {
    return settlements.stream().anyMatch(it -> ((Settlement) it).claim().key().equals(key(id)));
  }

  private List<MarkState> statesAtTheirOutcomes(Fault fault) throws Exception {
    List<MarkState> states = new CopyOnWriteArrayList<>();
    IdempotentReceiver<String> receiver = open(builder().leased(faulty(fault), delivery -> {}));
    Submission submission = receiver.submit(
        lane("p0", "a"), (index, outcome) -> states.add(mark("a").state()));
    assertThat(submission.await(PATIENCE)).isTrue();
    return states;
  }

  @Test
  @DisplayName("invariant 1: no ack before DONE, though the shard did not answer")
  void a_settlement_of_an_unavailable_shard_is_resent_before_the_ack() throws Exception {
    AtomicBoolean away = new AtomicBoolean(true);

    List<MarkState> states =
        statesAtTheirOutcomes((verb, items, call) -> verb.equals("settle") && away.getAndSet(false)
            ? List.of(new SettleAnswer.Unavailable("its shard"))
            : call.go());

    assertThat(states).containsExactly(MarkState.DONE);
  }

  @Test
  @DisplayName("invariant 1: no ack before DONE, though the call was lost")
  void a_lost_settlement_is_resent_before_its_message_is_acknowledged() throws Exception {
    AtomicInteger calls = new AtomicInteger();

    List<MarkState> states = statesAtTheirOutcomes((verb, items, call) -> {
      if (verb.equals("settle") && calls.incrementAndGet() < 3) {
        throw new StoreException("the call was lost");
      }
      return call.go();
    });

    assertThat(states).containsExactly(MarkState.DONE);
  }

  @Test
  @DisplayName("invariant 14: a settlement that the store never takes holds no other back")
  void a_group_that_fails_again_and_again_is_taken_apart() throws Exception {
    AtomicBoolean first = new AtomicBoolean(true);
    CountDownLatch settling = new CountDownLatch(1);
    CountDownLatch together = new CountDownLatch(4);
    IdempotentReceiver<String> receiver = open(builder()
        .workers(4)
        .leased(
            faulty((verb, items, call) -> {
              if (verb.equals("settle") && first.getAndSet(false)) {
                settling.countDown();
                together.await(); // so that the others make one group
              }
              if (verb.equals("settle") && holds(items, "poison")) {
                throw new StoreException("a row that no trigger lets pass");
              }
              return call.go();
            }),
            delivery -> {
              if (!delivery.message().equals("opener")) {
                together.countDown();
              }
            }));
    receiver.submit(lane("p5", "opener"), (index, outcome) -> {});
    settling.await();
    receiver.submit(lane("p0", "poison"), (index, outcome) -> {});

    List<Outcome> others =
        receiver.receive(both(both(lane("p1", "a"), lane("p2", "b")), lane("p3", "c")), PATIENCE);
    List<Outcome> later = receiver.receive(lane("p4", "d"), PATIENCE);

    assertThat(others).allMatch(Outcome.Executed.class::isInstance);
    assertThat(later).allMatch(Outcome.Executed.class::isInstance);
  }
}
