package io.hapax.audit;

import io.hapax.audit.PendingLookup.Answered;
import io.hapax.internal.store.RetryingReads;
import io.hapax.mark.Mark;
import io.hapax.mark.MessageKey;
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

/** Asks the store for marks, several times at once, beside the thread that reads. */
final class MarkLookups implements AutoCloseable {

  private final DedupStore store;
  private final ExecutorService threads;
  private final CompletionService<List<Answered>> calls;
  private int underWay;

  MarkLookups(DedupStore store, int atOnce) {
    this.store = store;
    this.threads = Executors.newFixedThreadPool(atOnce, task -> {
      Thread thread = new Thread(task, "hapax-audit-lookup");
      thread.setDaemon(true);
      return thread;
    });
    this.calls = new ExecutorCompletionService<>(threads);
  }

  /** How many calls have not been taken yet. */
  int underWay() {
    return underWay;
  }

  void ask(List<PendingLookup> batch) {
    underWay++;
    var unused = calls.submit(() -> find(batch)); // taken from the queue of what is done
  }

  /** The next call that was answered; empty if there is none yet. */
  List<Answered> poll() throws InterruptedException {
    Future<List<Answered>> call = calls.poll();
    return call == null ? List.of() : answers(call);
  }

  /** The next call that is answered. There must be one under way. */
  List<Answered> take() throws InterruptedException {
    return answers(calls.take());
  }

  private List<Answered> answers(Future<List<Answered>> call) throws InterruptedException {
    underWay--;
    try {
      return call.get();
    } catch (ExecutionException e) {
      throw new StoreException("marks cannot be looked up: " + e.getCause(), e);
    }
  }

  private List<Answered> find(List<PendingLookup> batch) {
    List<MessageKey> keys = batch.stream().map(PendingLookup::key).toList();
    List<Optional<Mark>> marks = RetryingReads.of(() -> store.find(keys));
    if (marks.size() != keys.size()) {
      throw new StoreException(
          "the store gave " + marks.size() + " answers to " + keys.size() + " items of find");
    }
    List<Answered> answers = new ArrayList<>(marks.size());
    for (int i = 0; i < marks.size(); i++) {
      PendingLookup asked = batch.get(i);
      answers.add(new Answered(asked, marks.get(i).orElseGet(() -> Mark.absent(asked.key()))));
    }
    return answers;
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
