package io.hapax.operations.audit;

import io.hapax.mark.Mark;
import io.hapax.mark.MessageKey;
import io.hapax.operations.audit.PendingLookup.Answer;
import io.hapax.operations.internal.RetryingCalls;
import io.hapax.store.DedupStore;
import io.hapax.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Looks marks up on threads of its own, several batches at a time, while the caller reads on. */
final class MarkLookups implements AutoCloseable {

  private final DedupStore store;
  private final ExecutorService threads;
  private final CompletionService<List<Answer>> calls;
  private int inFlight;

  MarkLookups(DedupStore store, int atOnce) {
    this.store = store;
    this.threads = Executors.newFixedThreadPool(atOnce, task -> {
      Thread thread = new Thread(task, "hapax-audit-lookup");
      thread.setDaemon(true);
      return thread;
    });
    this.calls = new ExecutorCompletionService<>(threads);
  }

  /** Returns the number of calls whose answers have not been taken. */
  int inFlight() {
    return inFlight;
  }

  void lookUp(List<PendingLookup> batch) {
    inFlight++;
    var unused = calls.submit(() -> find(batch)); // its future is taken from the completion queue
  }

  /** Returns the answers of the next completed call; none if no call has completed. */
  List<Answer> poll() throws InterruptedException {
    Future<List<Answer>> call = calls.poll();
    return call == null ? List.of() : answers(call);
  }

  /** Waits for the next call to complete and returns its answers. One must be in flight. */
  List<Answer> take() throws InterruptedException {
    return answers(calls.take());
  }

  private List<Answer> answers(Future<List<Answer>> call) throws InterruptedException {
    inFlight--;
    try {
      return call.get();
    } catch (ExecutionException e) {
      throw new StoreException("marks cannot be looked up: " + e.getCause(), e);
    }
  }

  private List<Answer> find(List<PendingLookup> batch) {
    List<MessageKey> keys = batch.stream().map(PendingLookup::key).toList();
    List<Optional<Mark>> marks = RetryingCalls.of(() -> store.find(keys));
    if (marks.size() != keys.size()) {
      throw new StoreException(
          "the store gave " + marks.size() + " answers to " + keys.size() + " items of find");
    }
    List<Answer> answers = new ArrayList<>(marks.size());
    for (int i = 0; i < marks.size(); i++) {
      PendingLookup lookup = batch.get(i);
      answers.add(new Answer(lookup, marks.get(i).orElseGet(() -> Mark.absent(lookup.key()))));
    }
    return answers;
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
