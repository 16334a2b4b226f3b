package io.hapax.operations.audit;

import io.hapax.mark.Mark;
import io.hapax.mark.MessageKey;
import io.hapax.operations.internal.RetryingCalls;
import io.hapax.operations.text.Text;
import io.hapax.store.MarkAdmin;
import io.hapax.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Looks marks up on threads of its own, in several calls at a time, while the caller reads on. */
final class MarkLookups implements AutoCloseable {

  private static final int AT_ONCE = 4;

  private final MarkAdmin store;
  private final ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE, task -> {
    Thread thread = new Thread(task, "hapax-audit-lookup");
    thread.setDaemon(true);
    return thread;
  });

  MarkLookups(MarkAdmin store) {
    this.store = store;
  }

  /** Begins to look up the marks of some ids, in a call of the store for each thread. */
  List<Future<List<Mark>>> begin(List<MessageKey> keys) {
    int size = Math.max(1, (keys.size() + AT_ONCE - 1) / AT_ONCE);
    List<Future<List<Mark>>> calls = new ArrayList<>();
    for (int from = 0; from < keys.size(); from += size) {
      List<MessageKey> some = keys.subList(from, Math.min(from + size, keys.size()));
      calls.add(threads.submit(() -> find(some)));
    }
    return calls;
  }

  private List<Mark> find(List<MessageKey> keys) {
    List<Optional<Mark>> found = RetryingCalls.of(() -> store.find(keys));
    if (found.size() != keys.size()) {
      throw new StoreException(
          "the store gave " + found.size() + " answers to " + keys.size() + " items of find");
    }
    List<Mark> marks = new ArrayList<>(found.size());
    for (int i = 0; i < found.size(); i++) {
      MessageKey key = keys.get(i);
      marks.add(found.get(i).orElseGet(() -> Mark.absent(key)));
    }
    return marks;
  }

  static List<Mark> await(List<Future<List<Mark>>> calls) throws InterruptedException {
    List<Mark> marks = new ArrayList<>();
    for (Future<List<Mark>> call : calls) {
      try {
        marks.addAll(call.get());
      } catch (ExecutionException e) {
        throw Text.of("store.lookup", String.valueOf(e.getCause())).storeFailure(e);
      }
    }
    return marks;
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
