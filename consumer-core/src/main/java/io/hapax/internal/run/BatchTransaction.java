package io.hapax.internal.run;

import io.hapax.adapter.Outcome;
import io.hapax.errors.ReceiverClosedException;
import io.hapax.internal.handler.HandlerFailure;
import io.hapax.internal.message.BlockedLanes;
import io.hapax.internal.message.ClaimedMessage;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.RememberedMessages;
import io.hapax.internal.message.Tasks;
import io.hapax.internal.runtime.Backoff;
import io.hapax.internal.store.GenerationWatch;
import io.hapax.mark.ClaimRequest;
import io.hapax.store.BrokenTransactionException;
import io.hapax.store.CommitUnknownException;
import io.hapax.store.StoreContentionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Runs a whole submission in one transaction: marks and effects of all its messages commit
 * together. A submission of known duplicates opens no transaction; see {@link DuplicateLookup}. If
 * the handler fails, the messages run one by one, each with an object that no call has got; without
 * one, a message is redelivered. After contention the submission is split into halves. The attempt
 * of a failed message is recorded in separate transactions. One worker thread runs all of this.
 */
public final class BatchTransaction<M, T> {

  private final DuplicateLookup<M> lookup;
  private final BatchMessages<M> batch;
  private final TransactionCalls<M, T> transactions;
  private final GenerationWatch generation;
  private final Tasks<M> tasks;
  private final Backoff backoff;

  /**
   * The messages whose transaction was rolled back after their call, and which could not run again
   * in this delivery: their objects cannot be given to another call, or there was no time left.
   * They run one by one when they are redelivered, so that the failing one rolls back no other. A
   * process that does not remember them begins with one shared transaction.
   */
  private final RememberedMessages<Boolean> alone = new RememberedMessages<>(10_000);

  public BatchTransaction(
      DuplicateLookup<M> lookup,
      BatchMessages<M> batch,
      TransactionCalls<M, T> transactions,
      GenerationWatch generation,
      Tasks<M> tasks) {
    this.lookup = lookup;
    this.batch = batch;
    this.transactions = transactions;
    this.generation = generation;
    this.tasks = tasks;
    this.backoff = Backoff.ofStoreCalls(transactions.random());
  }

  public void run(List<InFlightMessage<M>> messages) {
    if (!messages.isEmpty()) {
      tasks.work(messages, () -> begin(lookup.finishDone(batch.select(messages))));
    }
  }

  private void begin(List<InFlightMessage<M>> messages) {
    if (!alone.isEmpty() && messages.stream().anyMatch(it -> alone.get(it).isPresent())) {
      oneByOne(messages);
    } else {
      transact(messages, 1);
    }
  }

  private void transact(List<InFlightMessage<M>> all, int tries) {
    if (!all.isEmpty()) {
      inGeneration(all, generation.check(), () -> send(all, tries));
    }
  }

  /**
   * Runs what claims messages, once the generation that they belong to has been read lately. Since
   * the check before it, the process may have been suspended, or a handler may have run for long.
   */
  private void inGeneration(
      List<InFlightMessage<M>> messages, GenerationWatch.Check check, Runnable claim) {
    if (generation.moved()) {
      messages.forEach(message -> batch.defer(message, Deferrals.ABANDONED));
    } else if (check.seen()) {
      claim.run();
    } else {
      tasks.workLater(
          messages, () -> inGeneration(messages, check, claim), GenerationWatch.Check.PAUSE);
    }
  }

  private void send(List<InFlightMessage<M>> all, int tries) {
    if (all.get(0).submission.abandoned()) {
      all.forEach(message -> batch.defer(message, Deferrals.ABANDONED));
      return;
    }
    List<InFlightMessage<M>> messages = batch.begin(all);
    if (!messages.isEmpty()) {
      refused(messages, batch.requests(messages), tries).ifPresent(this::withoutThoseOutOfTurn);
    }
  }

  /**
   * Runs the messages in one transaction. Returns its plan if it was rolled back because messages
   * may not run; in every other case the messages are finished or will run again.
   */
  private Optional<BatchPlan<M>> refused(
      List<InFlightMessage<M>> messages, List<ClaimRequest> requests, int tries) {
    try {
      BatchPlan<M> plan = runOnce(requests, messages);
      if (plan.outOfTurn()) {
        return Optional.of(plan);
      }
      batch.committed(plan);
    } catch (HandlerFailure failure) {
      failed(messages, failure.reason());
    } catch (BrokenTransactionException failure) {
      failed(messages, failure);
    } catch (StoreContentionException contention) {
      halve(messages);
    } catch (ReceiverClosedException failed) {
      throw failed;
    } catch (RuntimeException failure) {
      again(messages, failure, tries);
    }
    return Optional.empty();
  }

  private BatchPlan<M> runOnce(List<ClaimRequest> requests, List<InFlightMessage<M>> messages)
      throws HandlerFailure {
    boolean committed = false;
    try {
      BatchPlan<M> plan = transactions.runOnce(requests, answers -> batch.plan(messages, answers));
      committed = !plan.outOfTurn();
      if (committed) {
        lookup.committed(plan);
      }
      return plan;
    } finally {
      batch.end(messages, committed);
    }
  }

  /** Sends the same requests again: if the transaction was committed, their nonces show it. */
  private void again(List<InFlightMessage<M>> messages, RuntimeException failure, int tries) {
    Duration pause = failure instanceof CommitUnknownException && tries == 1
        ? Duration.ZERO
        : backoff.after(tries);
    GenerationWatch.Check check = generation.check();
    tasks.workLater(
        messages, () -> inGeneration(messages, check, () -> send(messages, tries + 1)), pause);
  }

  /**
   * Runs the rest without the acquired messages that may not run: their lane stops before them,
   * their attempts are used up, or they are too old. Nothing was committed before.
   */
  private void withoutThoseOutOfTurn(BatchPlan<M> plan) {
    List<InFlightMessage<M>> others = plan.others();
    others.forEach(InFlightMessage::start); // so that they are not given up while the rest runs
    transact(plan.running().stream().map(ClaimedMessage::message).toList(), 1);
    inGeneration(others, generation.check(), () -> batch.finishThoseThatDidNotRun(plan));
  }

  /** Finds the message that fails by running them one by one. */
  private void failed(List<InFlightMessage<M>> messages, Throwable failure) {
    if (messages.size() == 1) {
      inGeneration(
          messages, generation.check(), () -> batch.failed(messages.get(0), Optional.of(failure)));
    } else {
      oneByOne(messages);
    }
  }

  private void oneByOne(List<InFlightMessage<M>> messages) {
    inOrder(messages.stream().map(List::of).toList(), part -> part.forEach(this::runAlone));
  }

  /**
   * Runs parts one after the other, of which one may be empty by then. Defers messages whose lane
   * has stopped before them.
   */
  private void inOrder(
      List<List<InFlightMessage<M>>> parts, Consumer<List<InFlightMessage<M>>> run) {
    BlockedLanes stops = new BlockedLanes();
    for (List<InFlightMessage<M>> part : parts) {
      List<InFlightMessage<M>> open = new ArrayList<>(part.size());
      for (InFlightMessage<M> message : part) {
        if (stops.stopped(message)) {
          batch.defer(message, stops.behind(message));
        } else {
          open.add(message);
        }
      }
      run.accept(open);
      part.forEach(stops::after);
    }
  }

  private void runAlone(InFlightMessage<M> message) {
    boolean spent = isSpent(message);
    if (spent || message.submission.abandoned()) {
      alone.put(message, true); // or the next delivery would begin with all of them again
      batch.defer(message, spent ? Deferrals.REDELIVERED : Deferrals.ABANDONED);
      return;
    }
    transact(List.of(message), 1);
    if (message.outcome().filter(Outcome::mayAcknowledge).isPresent()) {
      alone.remove(message);
    }
  }

  private static boolean isSpent(InFlightMessage<?> message) {
    return message.incoming.handout().isSpent();
  }

  private void halve(List<InFlightMessage<M>> messages) {
    if (messages.size() == 1) {
      batch.defer(messages.get(0), Deferrals.busy(Backoff.ofContention(transactions.random())));
      return;
    }
    if (messages.stream().anyMatch(BatchTransaction::isSpent)) {
      oneByOne(messages);
      return;
    }
    int middle = messages.size() / 2;
    inOrder(
        List.of(messages.subList(0, middle), messages.subList(middle, messages.size())),
        part -> transact(part, 1));
  }
}
