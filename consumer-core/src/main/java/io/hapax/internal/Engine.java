package io.hapax.internal;

import io.hapax.ReceiverHealth;
import io.hapax.TransactionalHandler;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.ReceiverPort;
import io.hapax.adapter.Submission;
import io.hapax.errors.ReceiverClosedException;
import io.hapax.internal.handler.UserCodeCalls;
import io.hapax.internal.message.ActiveSubmission;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.message.Submissions;
import io.hapax.internal.report.Events;
import io.hapax.internal.run.Admission;
import io.hapax.internal.run.HandlerStep;
import io.hapax.internal.run.ObservedStart;
import io.hapax.internal.runtime.CallerQueue;
import io.hapax.internal.runtime.EngineSettings;
import io.hapax.internal.runtime.Environment;
import io.hapax.internal.runtime.Platform;
import io.hapax.internal.store.StaleMarkCounter;
import io.hapax.store.DedupStore;
import io.hapax.store.ListenableStore;
import io.hapax.store.TransactionalDedupStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BooleanSupplier;

/**
 * Takes submissions, returns health and closes, for a receiver. {@link EngineAssembler} connects
 * the parts that do the work.
 */
public record Engine<M>(
    EngineSettings<M> given, ReceiverPort.Settings settings, InstantSource clock, Parts<M> parts)
    implements ReceiverEngine<M> {

  record Parts<M>(
      Environment env,
      UserCodeCalls calls,
      Admission<M> admission,
      Outcomes.Reactions<M> reactions,
      Submissions<M> submissions,
      Health health,
      Shutdown<M> shutdown) {}

  public static <M> Engine<M> leased(
      EngineSettings<M> settings,
      DedupStore store,
      HandlerStep.Handler<M> handler,
      Platform machine) {
    if (handler.takesMany()) {
      settings.checkBatchHandler();
    }
    return new EngineAssembler<>(settings, store, machine, false).leased(handler);
  }

  /** Starts an engine that claims and marks what another engine runs. */
  public static <M extends ObservedStart.Observed> Engine<M> observing(
      EngineSettings<M> settings, DedupStore store, Platform machine) {
    return EngineAssembler.observing(new EngineAssembler<>(settings, store, machine, false));
  }

  public static <M, T> Engine<M> transactional(
      EngineSettings<M> settings,
      TransactionalDedupStore<T> store,
      TransactionalHandler<M, T> handler,
      Platform machine) {
    settings.checkTransactionalMode();
    refusesNothing(store);
    return new EngineAssembler<>(settings, store, machine, true).transactional(store, handler);
  }

  /** Fails now, and not at the first message, if the store is configured as not transactional. */
  private static <T> void refusesNothing(TransactionalDedupStore<T> store) {
    var unused = store.runOnce(List.of(), (transaction, answers) -> {});
  }

  @Override
  public Submission submit(List<Incoming<M>> messages, Submission.OutcomeSink sink) {
    ActiveSubmission<M> submission = submission(messages, sink, Optional.empty(), Optional.empty());
    take(submission);
    return submission;
  }

  /** Returns a submission, which is not taken yet. */
  ActiveSubmission<M> submission(
      List<Incoming<M>> messages,
      Submission.OutcomeSink sink,
      Optional<ActiveSubmission.Position> position,
      Optional<CallerQueue> caller) {
    return new ActiveSubmission<>(
        parts.reactions(), sink, List.copyOf(messages), parts.env().ticker(), position, caller);
  }

  @Override
  public LaneGroup<M> openLanes() {
    return new AssignedLanes<>(this);
  }

  void take(ActiveSubmission<M> submission) {
    add(submission);
    read(submission);
  }

  void add(ActiveSubmission<M> submission) {
    requireRunning();
    if (!parts.submissions().add(submission)) {
      throw new ReceiverClosedException(given.scope());
    }
  }

  void read(ActiveSubmission<M> submission) {
    parts.env().run(() -> parts.admission().take(submission));
    requireRunning();
  }

  @Override
  public void requireRunning() {
    parts.env().failStop().requireRunning();
  }

  @Override
  public List<Outcome> receive(List<Incoming<M>> messages, Duration patience)
      throws InterruptedException {
    AtomicReferenceArray<Outcome> outcomes = new AtomicReferenceArray<>(messages.size());
    submit(messages, outcomes::set).awaitOrAbandon(patience);
    return answered(outcomes);
  }

  @Override
  public List<Outcome> receiveOnCallerThread(
      List<Incoming<M>> messages, Duration patience, Submission.OutcomeSink sink)
      throws InterruptedException {
    return new CallerThread<>(this).receive(messages, patience, sink);
  }

  @Override
  public Optional<Outcome> receiveOnCallerThread(
      Incoming<M> message, Duration patience, BooleanSupplier handled, Duration limit)
      throws InterruptedException {
    return new CallerThread<>(this).receive(message, patience, handled, limit);
  }

  @Override
  public ReceiverHealth health() {
    return parts.health().now();
  }

  /** Waits until everything that was submitted has its outcome, but not longer than a limit. */
  public void await(Duration limit) {
    if (parts.submissions().await(parts.submissions().open(), limit)) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close(Duration limit) {
    parts.shutdown().run(limit);
  }

  /** Returns the outcomes; throws if messages were given up because the receiver has failed. */
  List<Outcome> answered(AtomicReferenceArray<Outcome> outcomes) {
    List<Outcome> result = new ArrayList<>(outcomes.length());
    for (int i = 0; i < outcomes.length(); i++) {
      result.add(outcomes.get(i));
    }
    if (!result.stream().allMatch(Outcome::mayAcknowledge)) {
      requireRunning();
    }
    return result;
  }

  /** Raises and clears problems that nothing else notices, and collects the health. */
  record Health(
      List<Runnable> checks,
      Events events,
      Optional<StaleMarkCounter> staleMarks,
      Submissions<?> submissions,
      Outcomes<?> outcomes) {

    ReceiverHealth now() {
      checks.forEach(Runnable::run);
      return new ReceiverHealth(
          events.storeAnswers(),
          events.problems(),
          events.sinceSettled(),
          staleMarks.flatMap(StaleMarkCounter::latest),
          submissions.oldest(),
          outcomes.waiting());
    }
  }

  /**
   * Closes an engine: gives up messages that have not started, waits for running handlers, and then
   * interrupts them. Claims that are not settled by then expire with their leases.
   */
  record Shutdown<M>(
      Submissions<M> submissions,
      Outcomes<M> outcomes,
      UserCodeCalls calls,
      Environment env,
      List<ListenableStore.Registration> registrations) {

    void run(Duration limit) {
      List<ActiveSubmission<M>> open = submissions.close();
      open.forEach(ActiveSubmission::giveUp);
      boolean interrupted = submissions.await(open, limit);
      registrations.forEach(ListenableStore.Registration::close);
      env.stop();
      open.forEach(it -> it.messages().forEach(message -> message.lease.stopRenewal()));
      calls.interruptAll();
      for (ActiveSubmission<M> submission : open) {
        submission.messages().forEach(message -> outcomes.finish(message, Deferrals.ABANDONED));
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
