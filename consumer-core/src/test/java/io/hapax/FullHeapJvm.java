package io.hapax;

import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Submission;
import io.hapax.errors.ReceiverClosedException;
import io.hapax.health.Problem;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import io.hapax.store.DedupStore;
import io.hapax.store.InMemoryDedupStore;
import io.hapax.store.StoreListeners;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A receiver in a JVM of its own, whose heap another thread fills to the last byte until the
 * receiver has failed. Prints what was seen; exits with 0 if it then refused all calls, released
 * all who waited, and left every message to a successor.
 */
final class FullHeapJvm {

  private static final String SCOPE = "orders";
  private static final LeaseSettings LEASE = LeaseSettings.of(Duration.ofSeconds(3));
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int MOST_ROUNDS = 50;
  private static final int MESSAGES = 6;

  private final InMemoryDedupStore store =
      new InMemoryDedupStore(InstantSource.system(), Duration.ofDays(1));
  private final IdempotentReceiver<String> receiver = receiver(store);

  private static IdempotentReceiver<String> receiver(DedupStore store) {
    return IdempotentReceiver.<String>builder(SCOPE)
        .id(text -> Optional.of(Bytes.utf8(text)))
        .fingerprint(text -> Fingerprint.of(Bytes.utf8(text).toByteArray()))
        .lease(LEASE)
        .retry(new RetrySettings(20, Duration.ofMillis(1), Duration.ofMillis(1)))
        .drainTimeout(Duration.ofMillis(100))
        .leased(store, delivery -> {});
  }

  public static void main(String[] args) throws Exception {
    System.exit(new FullHeapJvm().run() ? 0 : 1);
  }

  private boolean run() throws Exception {
    // Also loads the classes: one that fails to load for want of memory stays unusable.
    boolean well = executed(receiver, "before");
    List<Submission> accepted = new ArrayList<>(MOST_ROUNDS);
    FullHeap heap = new FullHeap();
    while (!failed() && heap.times() < MOST_ROUNDS) {
      Thread filler = heap.fill();
      submit(accepted, "m" + heap.times());
      filler.join();
    }
    boolean released = true;
    for (Submission it : accepted) {
      released &= released(it);
    }
    boolean refused = submit(accepted, "later");
    boolean down =
        receiver.problems().stream().anyMatch(it -> it.kind() == Problem.Kind.RECEIVER_DOWN);
    System.out.println("well before " + well + ", heap full " + heap.times() + ", failed "
        + failed() + ", accepted " + accepted.size() + ", released " + released + ", refused "
        + refused + ", problems " + receiver.problems());
    receiver.close();
    // A store object of its own, as in another process: ids in flight are kept for each object.
    IdempotentReceiver<String> successor = receiver(
        FaultFixture.faulty(() -> store, new StoreListeners(), (verb, items, call) -> call.go()));
    boolean taken = true;
    for (int i = 0; i <= heap.times(); i++) {
      taken &= executed(successor, "m" + i);
    }
    System.out.println("taken over " + taken);
    successor.close();
    return well && failed() && released && refused && down && taken;
  }

  private boolean failed() {
    try {
      receiver.port().requireRunning();
      return false;
    } catch (ReceiverClosedException e) {
      return true;
    }
  }

  /** Returns whether the receiver refused the messages. */
  private boolean submit(List<Submission> accepted, String name) {
    try {
      accepted.add(receiver.submit(messages(name), (index, outcome) -> {}));
      return false;
    } catch (ReceiverClosedException | OutOfMemoryError e) {
      return true;
    }
  }

  private static boolean released(Submission submission) throws InterruptedException {
    try {
      return submission.await(PATIENCE);
    } catch (ReceiverClosedException e) {
      return true;
    }
  }

  private static List<Incoming<String>> messages(String name) {
    return IntStream.range(0, MESSAGES)
        .mapToObj(i -> new Incoming<>(name + "-" + i, "p" + i % 2, name + "@" + i, false))
        .toList();
  }

  /** Returns whether all messages of that name are done in the end, here or before. */
  private static boolean executed(IdempotentReceiver<String> receiver, String name)
      throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    boolean done = false;
    while (!done && System.nanoTime() - end < 0) {
      done = receiver.receive(messages(name), PATIENCE).stream().allMatch(Outcome::mayAcknowledge);
    }
    return done;
  }
}
