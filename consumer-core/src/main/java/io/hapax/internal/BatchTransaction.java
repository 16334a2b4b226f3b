package io.hapax.internal;

import io.hapax.DeadLetter.Kind;
import io.hapax.Delivery;
import io.hapax.Outcome;
import io.hapax.Outcome.Deferred;
import io.hapax.TransactionalHandler;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.store.BrokenTransactionException;
import io.hapax.store.CommitUnknownException;
import io.hapax.store.StoreContentionException;
import io.hapax.store.TransactionalDedupStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Runs a whole submission in one transaction: marks and effects of all its messages commit
 * together. What goes wrong is taken apart: a failing handler is found by running one message at a
 * time, contention by halving; a failed message writes its attempt in transactions of its own.
 * Everything here happens on one worker thread.
 */
final class BatchTransaction<M, T> {

  private final Engine<M> engine;
  private final TransactionalDedupStore<T> store;
  private final TransactionalHandler<M, T> handler;
  private final Backoff backoff = Backoff.ofStoreCalls();

  BatchTransaction(
      Engine<M> engine, TransactionalDedupStore<T> store, TransactionalHandler<M, T> handler) {
    this.engine = engine;
    this.store = store;
    this.handler = handler;
  }

  void run(List<Item<M>> items) {
    if (!items.isEmpty()) {
      engine.threads().work(() -> begin(items));
    }
  }

  /** Sorts out what has no id, and what follows the same id elsewhere: it stops its lane. */
  private void begin(List<Item<M>> items) {
    Stops stops = new Stops();
    List<Item<M>> mine = new ArrayList<>();
    for (Item<M> item : items) {
      if (stops.stopped(item)) {
        engine.finish(item, stops.behind(item));
      } else if (item.key.isEmpty()) {
        stops.at(
            item,
            engine.failures().withoutMark(item, Kind.MISSING_ID, "the message has no usable id"));
      } else if (engine.holdsItsId(item)) {
        mine.add(item);
      } else if (!engine.followsWithin(item, items)) {
        stops.at(
            item, item.outcome().map(Stops::deferral).orElseGet(() -> Optional.of(Stops.SHORTLY)));
      }
    }
    transact(mine, 1);
  }

  /** One transaction for the items, and whatever follows if it does not come off. */
  private void transact(List<Item<M>> all, int tries) {
    List<Item<M>> items = all.stream().filter(Item::unfinished).toList();
    if (items.isEmpty()) {
      return;
    }
    if (items.get(0).batch.abandoned()) {
      items.forEach(item -> engine.finish(item, Deferrals.ABANDONED));
      return;
    }
    List<ClaimRequest> requests =
        items.stream().map(item -> item.request().orElseGet(() -> ask(item))).toList();
    try {
      List<ClaimAnswer> answers =
          store.runOnce(requests, (transaction, given) -> work(transaction, items, given));
      engine.storeAnswered();
      committed(items, answers);
    } catch (OutOfTurn refusal) {
      withoutThoseOutOfTurn(items, refusal);
    } catch (HandlerFailure failure) {
      failed(items, failure.reason());
    } catch (BrokenTransactionException failure) {
      failed(items, failure);
    } catch (StoreContentionException contention) {
      engine.storeFailed("runOnce", contention);
      halve(items);
    } catch (RuntimeException trouble) {
      engine.storeFailed("runOnce", trouble);
      again(items, trouble, tries);
    } catch (Exception unexpected) {
      throw new IllegalStateException(unexpected);
    }
  }

  private ClaimRequest ask(Item<M> item) {
    ClaimRequest request = engine.claimer().newRequest(item, false);
    item.named(request);
    return request;
  }

  /** The very same requests again: if the commit had come through, their nonces say so. */
  private void again(List<Item<M>> items, RuntimeException trouble, int tries) {
    long pause = trouble instanceof CommitUnknownException && tries == 1
        ? 0
        : backoff.after(tries).toMillis();
    engine
        .threads()
        .callLater(() -> engine.threads().work(() -> transact(items, tries + 1)), pause);
  }

  private void work(T transaction, List<Item<M>> items, List<ClaimAnswer> answers)
      throws Exception {
    Stops stops = new Stops();
    List<Delivery<M>> deliveries = new ArrayList<>();
    boolean outOfTurn = false;
    for (int i = 0; i < items.size(); i++) {
      Item<M> item = items.get(i);
      ClaimAnswer answer = answers.get(i);
      boolean mayRun =
          answer instanceof Acquired acquired && !engine.failures().exhausted(acquired);
      if (stops.stopped(item) || (answer instanceof Acquired && !mayRun)) {
        outOfTurn |= answer instanceof Acquired;
        stops.at(item, Optional.of(Stops.SHORTLY));
      } else if (mayRun && answer instanceof Acquired acquired) {
        deliveries.add(engine.delivery(item, acquired));
      } else if (!(answer instanceof ClaimAnswer.Done) && !(answer instanceof ClaimAnswer.Dead)) {
        stops.at(item, Optional.of(Stops.SHORTLY));
      }
    }
    if (outOfTurn) {
      throw new OutOfTurn(answers);
    }
    HandlerFailure.guard(() -> handler.handle(transaction, deliveries));
  }

  private void committed(List<Item<M>> items, List<ClaimAnswer> answers) {
    for (int i = 0; i < items.size(); i++) {
      if (answers.get(i) instanceof Acquired acquired) {
        engine.finish(items.get(i), Engine.executed(acquired));
      }
    }
    Stops stops = new Stops();
    for (int i = 0; i < items.size(); i++) {
      Item<M> item = items.get(i);
      if (item.unfinished()) {
        if (stops.stopped(item)) {
          engine.finish(item, stops.behind(item));
        } else {
          stops.at(item, standing(item, answers.get(i)));
        }
      }
    }
  }

  /** Gives a message that was not acquired the outcome that its mark's state calls for. */
  private Optional<Deferred> standing(Item<M> item, ClaimAnswer answer) {
    if (answer instanceof ClaimAnswer.Done done) {
      engine.finish(item, done.own() ? new Outcome.Executed(0, 0) : new Outcome.Duplicate());
      return Optional.empty();
    }
    if (answer instanceof ClaimAnswer.Dead dead) {
      engine.finish(item, new Outcome.DeadLettered(dead.reason()));
      return Optional.empty();
    }
    if (answer instanceof ClaimAnswer.Conflict conflict) {
      return engine
          .failures()
          .withoutMark(
              item, Kind.CONFLICT, "another payload is " + conflict.state() + " under this id");
    }
    Deferred busy =
        answer instanceof ClaimAnswer.Busy it ? Deferrals.busy(it.remaining()) : Stops.SHORTLY;
    engine.finish(item, busy);
    return Optional.of(busy);
  }

  /**
   * Some messages were acquired that may not run: their lane stops before them, or their attempts
   * are used up. Nothing was committed. Runs the rest without them.
   */
  private void withoutThoseOutOfTurn(List<Item<M>> items, OutOfTurn refusal) {
    Stops stops = new Stops();
    List<Item<M>> rest = new ArrayList<>();
    List<Runnable> afterwards = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      Item<M> item = items.get(i);
      ClaimAnswer answer = refusal.answers.get(i);
      if (stops.stopped(item)) {
        afterwards.add(() -> engine.finish(item, stops.behind(item)));
      } else if (answer instanceof Acquired acquired && !engine.failures().exhausted(acquired)) {
        rest.add(item);
      } else if (answer instanceof Acquired) {
        stops.at(item, Optional.of(Stops.SHORTLY));
        afterwards.add(() -> writeAttempt(item, Optional.empty()));
      } else {
        afterwards.add(() -> standing(item, answer));
        if (!(answer instanceof ClaimAnswer.Done) && !(answer instanceof ClaimAnswer.Dead)) {
          stops.at(item, Optional.of(Stops.SHORTLY));
        }
      }
    }
    transact(rest, 1);
    afterwards.forEach(Runnable::run);
  }

  private void failed(List<Item<M>> items, Throwable failure) {
    if (items.size() == 1) {
      writeAttempt(items.get(0), Optional.of(failure));
      return;
    }
    inOrder(items, item -> transact(List.of(item), 1));
  }

  private void inOrder(List<Item<M>> items, java.util.function.Consumer<Item<M>> each) {
    Stops stops = new Stops();
    for (Item<M> item : items) {
      if (stops.stopped(item)) {
        engine.finish(item, stops.behind(item));
      } else {
        each.accept(item);
        stops.at(
            item, item.outcome().map(Stops::deferral).orElseGet(() -> Optional.of(Stops.SHORTLY)));
      }
    }
  }

  private void halve(List<Item<M>> items) {
    if (items.size() == 1) {
      Duration pause = Duration.ofMillis(ThreadLocalRandom.current().nextInt(10, 100));
      engine.finish(items.get(0), Deferrals.busy(pause));
      return;
    }
    int middle = items.size() / 2;
    List<Item<M>> first = items.subList(0, middle);
    transact(first, 1);
    Stops stops = new Stops();
    for (Item<M> item : first) {
      stops.at(
          item, item.outcome().map(Stops::deferral).orElseGet(() -> Optional.of(Stops.SHORTLY)));
    }
    List<Item<M>> second = new ArrayList<>();
    for (Item<M> item : items.subList(middle, items.size())) {
      if (stops.stopped(item)) {
        engine.finish(item, stops.behind(item));
      } else {
        second.add(item);
      }
    }
    transact(second, 1);
  }

  /** Writes a failed attempt, or the end of all attempts, with a claim of its own. */
  private void writeAttempt(Item<M> item, Optional<Throwable> failure) {
    try {
      ClaimRequest request = engine.claimer().newRequest(item, true);
      ClaimAnswer answer =
          store.claim(List.of(request), engine.settings().lease().lease()).get(0);
      if (!(answer instanceof Acquired acquired)) {
        standing(item, answer);
        return;
      }
      Failures.Decision decision = failure.isPresent() && !engine.failures().exhausted(acquired)
          ? engine.failures().decide(item, acquired, failure.get(), false)
          : engine
              .failures()
              .bury(item, acquired, failure.map(Throwable::toString).orElse("its owners vanished"));
      SettleAnswer settled = store
          .settle(List.of(new Settlement(acquired.claim(), decision.verdict())))
          .get(0);
      engine.finish(
          item,
          settled instanceof SettleAnswer.Settled || !decision.outcome().mayAcknowledge()
              ? decision.outcome()
              : Deferrals.FENCED);
    } catch (RuntimeException trouble) {
      engine.storeFailed("claim or settle", trouble);
      engine.finish(item, Deferrals.storeUnavailable(trouble));
    }
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
