package io.hapax;

import io.hapax.adapter.Outcome;
import io.hapax.store.DedupStore;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Receivers in leased mode, over a store whose calls and replies are lost on demand. */
abstract class LeasedFixture extends FaultFixture {

  static final Duration LONG_PATIENCE = Duration.ofSeconds(20);

  private static final Set<String> LOSSY = Set.of("claim", "renew", "settle", "now");

  final AtomicInteger callsToLose = new AtomicInteger();
  final AtomicInteger repliesToLose = new AtomicInteger();
  final AtomicInteger claimCalls = new AtomicInteger();

  /** A store whose calls fail before they reach it, or whose replies are lost. */
  final DedupStore store = faulty((verb, items, call) -> {
    claimCalls.addAndGet(verb.equals("claim") ? 1 : 0);
    losesOne("call", verb, callsToLose);
    Object reply = call.go();
    losesOne("reply", verb, repliesToLose);
    return reply;
  });

  private static void losesOne(String what, String verb, AtomicInteger left) {
    if (LOSSY.contains(verb) && left.getAndUpdate(it -> Math.max(0, it - 1)) > 0) {
      throw new StoreException("the " + what + " was lost");
    }
  }

  @Override
  final ReceiverBuilder<String> builder() {
    return super.builder().drainTimeout(LONG_PATIENCE);
  }

  final IdempotentReceiver<String> receiver(MessageHandler<String> handler) {
    return open(builder().leased(store, handler));
  }

  final IdempotentReceiver<String> recording() {
    return receiver(this::record);
  }

  static List<Outcome> receive(IdempotentReceiver<String> receiver, String... messages)
      throws InterruptedException {
    return receiver.receive(lane("p0", messages), LONG_PATIENCE);
  }
}
