package io.hapax.internal;

import io.hapax.Outcome;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.store.DedupStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Sends verdicts to the store in groups: whatever came in while the previous call was under way
 * goes with the next. A call that failed is sent again as it was, for as long as it takes; only
 * then do its messages get their outcome.
 */
final class Settler<M> {

  private static final int LARGEST_GROUP = 500;

  private record Entry<M>(Item<M> item, Acquired acquired, Verdict verdict, Outcome outcome) {}

  private final Queue<Entry<M>> queue = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean busy = new AtomicBoolean();
  private final Engine<M> engine;
  private final DedupStore store;
  private final Backoff backoff = Backoff.ofStoreCalls();

  Settler(Engine<M> engine, DedupStore store) {
    this.engine = engine;
    this.store = store;
  }

  /** Settles an item's claim, and then gives it its outcome. */
  void settle(Item<M> item, Verdict verdict, Outcome outcome) {
    item.settling();
    queue.add(new Entry<>(item, item.acquired().orElseThrow(), verdict, outcome));
    wake();
  }

  private void wake() {
    if (busy.compareAndSet(false, true)) {
      engine.threads().call(this::drain);
    }
  }

  private void drain() {
    List<Entry<M>> group = new ArrayList<>();
    for (Entry<M> next = queue.poll(); next != null; next = queue.poll()) {
      group.add(next);
      if (group.size() == LARGEST_GROUP || queue.peek() == null) {
        send(List.copyOf(group), 1);
        return;
      }
    }
    busy.set(false);
    if (!queue.isEmpty()) {
      wake();
    }
  }

  private void send(List<Entry<M>> group, int tries) {
    List<Entry<M>> again = new ArrayList<>();
    try {
      List<Settlement> settlements = group.stream()
          .map(entry -> new Settlement(entry.acquired().claim(), entry.verdict()))
          .toList();
      List<SettleAnswer> answers =
          Replies.complete("settle", group.size(), store.settle(settlements));
      engine.events().storeAnswered();
      for (int i = 0; i < group.size(); i++) {
        if (!take(group.get(i), answers.get(i))) {
          again.add(group.get(i));
        }
      }
    } catch (RuntimeException | Error e) {
      engine.events().storeFailed("settle", e);
      again = group;
    }
    if (again.isEmpty()) {
      engine.threads().call(this::drain);
      return;
    }
    List<Entry<M>> rest = again;
    engine.threads().callLater(() -> send(rest, tries + 1), backoff.after(tries).toMillis());
  }

  /** Whether the answer was final. */
  private boolean take(Entry<M> entry, SettleAnswer answer) {
    return answer.match(
        settled -> {
          if (settled.markLost()) {
            engine
                .events()
                .markLost(entry.item().requiredKey(), entry.acquired().claim().token());
          }
          engine.outcomes().finish(entry.item(), entry.outcome());
          return true;
        },
        fenced -> {
          engine
              .events()
              .fenced(entry.item().requiredKey(), entry.acquired().claim().token());
          engine
              .outcomes()
              .finish(
                  entry.item(),
                  entry.outcome().mayAcknowledge() ? Deferrals.FENCED : entry.outcome());
          return true;
        },
        unavailable -> false);
  }
}
