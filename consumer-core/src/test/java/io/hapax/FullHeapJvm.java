package io.hapax;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.store.InMemoryDedupStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * A receiver in a JVM of its own, whose heap another thread fills to the last byte again and again.
 * Prints what was seen; exits with 0 if the receiver lost nothing of what it had accepted.
 */
final class FullHeapJvm {

  private static final String SCOPE = "orders";
  private static final LeaseSettings LEASE = LeaseSettings.of(Duration.ofSeconds(3));
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int SUBMISSIONS_A_ROUND = 4;
  private static final int MESSAGES = 6;

  /** A submission that the receiver accepted, with the number of outcomes of each message. */
  private record Accepted(Submission submission, AtomicIntegerArray outcomes) {

    boolean complete() {
      return IntStream.range(0, MESSAGES).allMatch(i -> outcomes.get(i) == 1);
    }
  }

  private final InMemoryDedupStore store =
      new InMemoryDedupStore(InstantSource.system(), Duration.ofDays(1));
  private volatile CountDownLatch mayEnd = new CountDownLatch(1);
  private final AtomicInteger escaped = new AtomicInteger();
  private final IdempotentReceiver<String> receiver = IdempotentReceiver.<String>builder(SCOPE)
      .id(text -> Optional.of(Bytes.utf8(text)))
      .fingerprint(text -> Fingerprint.of(Bytes.utf8(text).toByteArray()))
      .lease(LEASE)
      .drainTimeout(Duration.ofMillis(100))
      .leased(store, this::handle);

  private void handle(Delivery<String> delivery) throws InterruptedException {
    if (delivery.message().startsWith("held")) {
      mayEnd.await();
    }
  }

  public static void main(String[] args) throws Exception {
    System.exit(new FullHeapJvm().run(Integer.parseInt(args[0])) ? 0 : 1);
  }

  private boolean run(int rounds) throws Exception {
    // Also loads the classes: one that fails to load for want of memory stays unusable.
    boolean well = executed("before") && renewed("held-before");
    List<Accepted> accepted = new ArrayList<>(rounds * SUBMISSIONS_A_ROUND);
    FullHeap heap = new FullHeap();
    for (int round = 0; round < rounds; round++) {
      Thread filler = heap.fill();
      for (int i = 0; i < SUBMISSIONS_A_ROUND; i++) {
        submit(accepted, round * SUBMISSIONS_A_ROUND + i);
      }
      filler.join();
    }
    int ended = 0;
    int complete = 0;
    for (Accepted it : accepted) {
      ended += it.submission().await(PATIENCE) ? 1 : 0;
      complete += it.complete() ? 1 : 0;
    }
    boolean renewed = renewed("held-after");
    boolean later = executed("after");
    boolean healthy = until(() -> receiver.health().well());
    System.out.println("well before " + well + ", rounds " + rounds + ", heap full " + heap.times()
        + ", submissions refused "
        + escaped + ", accepted " + accepted.size() + ", ended " + ended + ", complete " + complete
        + ", renewed " + renewed + ", later messages ran " + later + ", problems "
        + receiver.health().problems() + ", healthy " + healthy);
    receiver.close();
    return well
        && heap.times() >= rounds
        && ended == accepted.size()
        && complete == accepted.size()
        && renewed
        && later
        && healthy;
  }

  /** An error on this thread is the caller's: then the receiver has promised nothing. */
  private void submit(List<Accepted> accepted, int number) {
    try {
      AtomicIntegerArray outcomes = new AtomicIntegerArray(MESSAGES);
      Submission submission = receiver.submit(
          messages("m" + number), (index, outcome) -> outcomes.incrementAndGet(index));
      accepted.add(new Accepted(submission, outcomes));
    } catch (OutOfMemoryError e) {
      escaped.incrementAndGet();
    }
  }

  private static List<Incoming<String>> messages(String name) {
    return IntStream.range(0, MESSAGES)
        .mapToObj(i -> new Incoming<>(name + "-" + i, "p" + i % 2, name + "@" + i, false))
        .toList();
  }

  private boolean executed(String name) throws InterruptedException {
    return receiver.receive(messages(name), PATIENCE).stream()
        .allMatch(Outcome.Executed.class::isInstance);
  }

  /** Whether the lease of a message is renewed while its handler runs. */
  private boolean renewed(String id) throws InterruptedException {
    mayEnd = new CountDownLatch(1);
    Submission submission = receiver.submit(
        List.of(new Incoming<>(id, "p0", id + "@0", false)), (index, outcome) -> {});
    boolean claimed = until(() -> leaseOf(id).isPresent());
    Instant first = leaseOf(id).orElse(Instant.MAX);
    boolean renewed = claimed && until(() -> leaseOf(id).orElseThrow().isAfter(first));
    mayEnd.countDown();
    return submission.await(PATIENCE) && renewed;
  }

  private Optional<Instant> leaseOf(String id) {
    return store.find(List.of(MessageKey.of(SCOPE, id))).get(0).map(mark -> mark.until());
  }

  private static boolean until(BooleanSupplier reached) throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!reached.getAsBoolean()) {
      if (System.nanoTime() - end > 0 || never.await(10, TimeUnit.MILLISECONDS)) {
        return false;
      }
    }
    return true;
  }
}
