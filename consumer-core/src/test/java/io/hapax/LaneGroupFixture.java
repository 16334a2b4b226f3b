package io.hapax;

import io.hapax.adapter.ReceiverPort.LaneGroup;
import io.hapax.adapter.Submission;
import io.hapax.errors.NotAppliedException;
import io.hapax.store.DedupStore;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;

/** Lanes whose handlers and store calls wait at gates of the test. */
abstract class LaneGroupFixture extends FaultFixture {

  /** What handlers and calls of the store wait for; a message that is not in it runs at once. */
  final Map<String, CountDownLatch> gates = new ConcurrentHashMap<>();

  final Set<String> begun = ConcurrentHashMap.newKeySet();
  final Set<String> failing = ConcurrentHashMap.newKeySet();

  CountDownLatch gate(String of) {
    CountDownLatch gate = new CountDownLatch(1);
    gates.put(of, gate);
    return gate;
  }

  void pass(String of) throws InterruptedException {
    begun.add(of);
    CountDownLatch gate = gates.get(of);
    if (gate != null) {
      gate.await();
    }
  }

  @AfterEach
  void openGates() {
    gates.values().forEach(CountDownLatch::countDown);
  }

  /** Waits at "claim x" before it claims x, at "answer x" after it, and at "settle". */
  Object gated(String verb, List<?> items, Call call) throws Throwable {
    if (verb.equals("find")) {
      pass("find");
    }
    if (verb.equals("settle")) {
      pass("settle");
      return call.go();
    }
    if (!verb.equals("claim")) {
      return call.go();
    }
    for (Object request : items) {
      pass("claim " + idOf(request));
    }
    Object answer = call.go();
    for (Object request : items) {
      pass("answer " + idOf(request));
    }
    return answer;
  }

  void handle(Delivery<String> delivery) throws Exception {
    pass(delivery.message());
    if (failing.remove(delivery.message())) {
      throw new NotAppliedException("gateway down");
    }
    effects.add(delivery.message());
  }

  IdempotentReceiver<String> receiver(ReceiverBuilder<String> builder) {
    DedupStore store = faulty(this::gated);
    return ready(open(builder.leased(store, this::handle)));
  }

  void awaitBegun(String... what) {
    eventually(() -> begun.containsAll(List.of(what)));
  }

  static Submission submit(LaneGroup<String> lanes, String... messages) {
    return lanes.submit(lane("p0", messages), IGNORED);
  }
}
