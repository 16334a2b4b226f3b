package io.hapax.internal.run;

import io.hapax.Delivery;
import io.hapax.TransactionalHandler;
import io.hapax.internal.Engine;
import io.hapax.internal.handler.HandlerFailure;
import io.hapax.internal.message.BlockedLanes;
import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.runtime.Backoff;
import io.hapax.internal.store.GenerationCheck;
import io.hapax.internal.store.Replies;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.store.BrokenTransactionException;
import io.hapax.store.CommitUnknownException;
import io.hapax.store.StoreContentionException;
import io.hapax.store.TransactionalDedupStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs a whole submission in one transaction: marks and effects of all its messages commit
 * together. What goes wrong is taken apart: a failing handler is found by running one message at a
 * time, contention by halving; a failed message writes its attempt in transactions of its own.
 * Everything here happens on one worker thread.
 */
public final class BatchTransaction<M, T> {

  private final Engine<M> engine;
  private final TransactionalDedupStore<T> store;
  private final TransactionalHandler<M, T> handler;
  private final FailedAttempts<M> failedAttempts;
  private final Backoff backoff;

  public BatchTransaction(
      Engine<M> engine, TransactionalDedupStore<T> store, TransactionalHandler<M, T> handler) {
    this.engine = engine;
    this.store = store;
    this.handler = handler;
    this.backoff = Backoff.ofStoreCalls(engine.dice());
    this.failedAttempts = new FailedAttempts<>(engine, store);
  }

  public void run(List<InFlightMessage<M>> items) {
    if (!items.isEmpty()) {
      engine.tasks().work(items, () -> begin(items));
    }
  }

  /** Sorts out what has no id, and what follows the same id elsewhere: it stops its lane. */
  private void begin(List<InFlightMessage<M>> items) {
    BlockedLanes stops = new BlockedLanes();
    List<InFlightMessage<M>> mine = new ArrayList<>();
    for (InFlightMessage<M> item : items) {
      if (stops.stopped(item)) {
        engine.outcomes().finish(item, stops.behind(item));
      } else if (!item.markable && item.start()) {
        stops.at(item, engine.failures().unmarked(item));
      } else if (!item.markable) {
        stops.after(item); // it was given up
      } else if (engine.running().heldBy(item)) {
        mine.add(item);
      } else if (!engine.running().followsInItsLane(item)) {
        stops.after(item);
      }
    }
    transact(mine, 1);
  }

  /** One transaction for the items, and whatever follows if it does not come off. */
  private void transact(List<InFlightMessage<M>> all, int tries) {
    if (!all.isEmpty() && givenUp(all)) {
      all.forEach(item -> engine.outcomes().finish(item, Deferrals.ABANDONED));
      return;
    }
    List<InFlightMessage<M>> items = new ArrayList<>(all.size());
    List<ClaimRequest> requests = requests(all, items);
    if (items.isEmpty()) {
      return;
    }
    try {
      committed(turns(items, runOnce(requests, items)));
    } catch (OutOfTurn refusal) {
      withoutThoseOutOfTurn(turns(items, refusal.answers));
    } catch (HandlerFailure failure) {
      failed(items, failure.reason());
    } catch (BrokenTransactionException failure) {
      engine.events().brokenTransaction(failure);
      failed(items, failure);
    } catch (StoreContentionException contention) {
      engine.events().contended("runOnce", contention);
      halve(items);
    } catch (RuntimeException trouble) {
      engine.events().storeFailed("runOnce", trouble);
      again(items, trouble, tries);
    } catch (Exception unexpected) {
      throw new IllegalStateException(unexpected);
    }
  }

  /** Begins with the items that may run, which it adds to these; an error lets go of them. */
  private List<ClaimRequest> requests(
      List<InFlightMessage<M>> all, List<InFlightMessage<M>> begun) {
    boolean asked = false;
    try {
      all.stream().filter(item -> item.start() && item.beginHandling()).forEach(begun::add);
      List<ClaimRequest> requests =
          begun.stream().map(item -> item.request().orElseGet(() -> ask(item))).toList();
      asked = true;
      return requests;
    } finally {
      for (int i = 0; !asked && i < all.size(); i++) { // without an iterator: memory may be used up
        engine.outcomes().handled(all.get(i));
      }
    }
  }

  private boolean givenUp(List<InFlightMessage<M>> items) {
    return engine.generation().moved() || items.get(0).batch.abandoned();
  }

  private List<ClaimAnswer> runOnce(List<ClaimRequest> requests, List<InFlightMessage<M>> items)
      throws Exception {
    boolean committed = false;
    try {
      List<ClaimAnswer> answers = Replies.complete(
          "runOnce",
          items.size(),
          store.runOnce(requests, (transaction, given) -> work(transaction, items, given)));
      committed = true;
      return answers;
    } finally {
      for (int i = 0; i < items.size(); i++) { // without an iterator: memory may be used up
        engine.outcomes().handled(items.get(i));
        if (!committed) {
          items.get(i).startOver();
        }
      }
    }
  }

  private BatchPlan<M> turns(List<InFlightMessage<M>> items, List<ClaimAnswer> answers) {
    engine.events().storeAnswered();
    return new BatchPlan<>(items, answers, engine.failures()::barred);
  }

  private ClaimRequest ask(InFlightMessage<M> item) {
    ClaimRequest request = engine.claimer().newTransactionalRequest(item);
    item.named(request);
    return request;
  }

  /** The very same requests again: if the commit had come through, their nonces say so. */
  private void again(List<InFlightMessage<M>> items, RuntimeException trouble, int tries) {
    Duration pause = trouble instanceof CommitUnknownException && tries == 1
        ? Duration.ZERO
        : backoff.after(tries);
    GenerationCheck<M> generation = new GenerationCheck<>(engine);
    engine.tasks().workLater(items, () -> again(items, tries + 1, generation), pause);
  }

  /** Not long after anybody saw the generation that the items belong to. */
  private void again(List<InFlightMessage<M>> items, int tries, GenerationCheck<M> generation) {
    if (givenUp(items) || generation.seen()) {
      transact(items, tries);
    } else {
      engine.tasks().workLater(items, () -> again(items, tries, generation), GenerationCheck.PAUSE);
    }
  }

  private void work(T transaction, List<InFlightMessage<M>> items, List<ClaimAnswer> answers)
      throws Exception {
    BatchPlan<M> turns = turns(items, answers);
    if (turns.outOfTurn()) {
      throw new OutOfTurn(answers);
    }
    List<ClaimedMessage<M>> running = turns.running();
    List<Delivery<M>> deliveries =
        running.stream().map(it -> engine.delivery(it.item(), it.acquired())).toList();
    long leaseEnd = engine.nanos() + engine.settings().lease().lease().toNanos();
    running.forEach(it -> it.item().lease.until(leaseEnd));
    engine.handling().run(running, () -> handler.handle(transaction, deliveries));
  }

  private void committed(BatchPlan<M> turns) {
    if (!turns.running().isEmpty()) {
      engine.lastSettled().now();
    }
    for (ClaimedMessage<M> it : turns.running()) {
      engine.failures().ages().tell(it.item(), it.acquired());
      engine.events().recovered(it.item().requiredKey(), it.acquired());
      engine.outcomes().finish(it.item(), Engine.executed(it.acquired(), Bytes.EMPTY));
    }
    finishThoseThatDidNotRun(turns);
  }

  /**
   * Some messages were acquired that may not run: their lane stops before them, their attempts are
   * used up, or they are too old. Nothing was committed. Runs the rest without them.
   */
  private void withoutThoseOutOfTurn(BatchPlan<M> turns) {
    turns
        .others()
        .forEach(InFlightMessage::start); // those that were given up meanwhile are nobody's here
    transact(turns.running().stream().map(ClaimedMessage::item).toList(), 1);
    finishThoseThatDidNotRun(turns);
  }

  private void finishThoseThatDidNotRun(BatchPlan<M> turns) {
    BlockedLanes stops = new BlockedLanes();
    for (BatchPlan.Place<M> place : turns.places()) {
      InFlightMessage<M> item = place.item();
      if (place.turn() != BatchPlan.Turn.RUNS && stops.stopped(item)) {
        engine.outcomes().finish(item, stops.behind(item));
        continue;
      }
      if (item.unfinished()) {
        finish(place);
      }
      stops.after(item);
    }
  }

  private void finish(BatchPlan.Place<M> place) {
    InFlightMessage<M> item = place.item();
    switch (place.turn()) {
      case RUNS -> {}
      case BEHIND -> engine.outcomes().finish(item, Deferrals.behind(BlockedLanes.SHORTLY.after()));
      case BARRED -> failedAttempts.write(item, Optional.empty());
      case STANDS -> {
        var unused = engine.standing().finish(item, place.answer());
      }
    }
  }

  /** Which message it was is found by running them one by one, each lane in its order. */
  private void failed(List<InFlightMessage<M>> items, Throwable failure) {
    if (items.size() == 1) {
      failedAttempts.write(items.get(0), Optional.of(failure));
      return;
    }
    BlockedLanes stops = new BlockedLanes();
    for (InFlightMessage<M> item : items) {
      if (stops.stopped(item)) {
        engine.outcomes().finish(item, stops.behind(item));
      } else {
        transact(List.of(item), 1);
        stops.after(item);
      }
    }
  }

  private void halve(List<InFlightMessage<M>> items) {
    if (items.size() == 1) {
      Duration pause = Backoff.ofContention(engine.dice());
      engine.outcomes().finish(items.get(0), Deferrals.busy(pause));
      return;
    }
    int middle = items.size() / 2;
    List<InFlightMessage<M>> first = items.subList(0, middle);
    transact(first, 1);
    BlockedLanes stops = new BlockedLanes();
    for (InFlightMessage<M> item : first) {
      stops.after(item);
    }
    List<InFlightMessage<M>> second = new ArrayList<>();
    for (InFlightMessage<M> item : items.subList(middle, items.size())) {
      if (stops.stopped(item)) {
        engine.outcomes().finish(item, stops.behind(item));
      } else {
        second.add(item);
      }
    }
    transact(second, 1);
  }

  /** Thrown out of the transaction to roll it back, because it acquired what must not run now. */
  private static final class OutOfTurn extends Exception {

    private static final long serialVersionUID = 1L;
    private final transient List<ClaimAnswer> answers;

    OutOfTurn(List<ClaimAnswer> answers) {
      super("a lane stops before an acquired message", null, false, false);
      this.answers = answers;
    }
  }
}
