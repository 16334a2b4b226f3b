package io.hapax.internal;

import io.hapax.TransactionalHandler;
import io.hapax.UnknownOutcomePolicy;
import io.hapax.internal.claim.GenerationGate;
import io.hapax.internal.claim.LeaseRenewer;
import io.hapax.internal.run.BatchClaims;
import io.hapax.internal.run.BatchIntake;
import io.hapax.internal.run.BatchResults;
import io.hapax.internal.run.BatchTransaction;
import io.hapax.internal.run.ClaimWindow;
import io.hapax.internal.run.DuplicateLookup;
import io.hapax.internal.run.EagerClaim;
import io.hapax.internal.run.FailedAttempts;
import io.hapax.internal.run.HandlerBatch;
import io.hapax.internal.run.HandlerStep;
import io.hapax.internal.run.InDoubtResolver;
import io.hapax.internal.run.Lanes;
import io.hapax.internal.run.MessageStart;
import io.hapax.internal.run.ObservedStart;
import io.hapax.internal.run.Probes;
import io.hapax.internal.run.Step;
import io.hapax.internal.run.SubmissionStart;
import io.hapax.internal.run.TransactionCalls;
import io.hapax.internal.run.TransactionStep;
import io.hapax.internal.run.TransactionalStart;
import io.hapax.internal.runtime.EngineSettings;
import io.hapax.internal.runtime.Platform;
import io.hapax.internal.settle.Completions;
import io.hapax.internal.store.StaleMarkCounter;
import io.hapax.store.DedupStore;
import io.hapax.store.ListenableStore;
import io.hapax.store.StoreListener;
import io.hapax.store.TransactionalDedupStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Connects the parts of one engine in the mode of its handler, and starts the engine. Used once, by
 * one thread.
 */
final class EngineAssembler<M> extends EngineParts<M> {

  EngineAssembler(
      EngineSettings<M> settings, DedupStore store, Platform platform, boolean transactional) {
    super(settings, store, platform, transactional);
  }

  /** Returns an engine in leased mode. */
  Engine<M> leased(Function<HandlerStep.Parts<M>, HandlerStep<M>> step) {
    HandlerStep<M> handlerStep = step.apply(
        new HandlerStep.Parts<>(invoker, new Completions<>(results, settler), failures, outcomes));
    UnknownOutcomePolicy<M> policy = settings.running().onUnknownOutcome();
    InDoubtResolver<M> doubts = doubts(policy);
    Lanes<M> lanes = lanes(handlerStep, doubts);
    if (policy instanceof UnknownOutcomePolicy.Rerun) {
      int limit = settings.running().claimWindow();
      return started(new EagerClaim<>(lanes, claimer, ids, limit)::run);
    }
    ClaimWindow<M> window =
        new ClaimWindow<>(settings.running().workers(), lanes, claimer, ids, outcomes, tasks);
    doubts.whenAsked(window::makeRoomFor);
    return started(window::run);
  }

  private InDoubtResolver<M> doubts(UnknownOutcomePolicy<M> policy) {
    Optional<Probes<M>> probes = policy instanceof UnknownOutcomePolicy.Probe<M> probe
        ? Optional.of(new Probes<>(
            probe, 2 * settings.running().workers(), env.threads(), tasks, calls, events))
        : Optional.empty();
    return new InDoubtResolver<>(policy, probes, failures, results, tasks, env.ticker());
  }

  private Lanes<M> lanes(Step<M> step, InDoubtResolver<M> doubts) {
    Duration margin = settings.lease().margin();
    MessageStart<M> start =
        new MessageStart<>(doubts, failures, unmarked, unacquired, settler, margin);
    return new Lanes<>(
        step, new HandlerBatch<>(ages, margin), start, claimer, suspects, outcomes, tasks);
  }

  /** Returns an engine that claims and marks what another engine runs. */
  Engine<M> observing(ObservedStart.Runs<M> runs) {
    ObservedStart.Parts<M> parts =
        new ObservedStart.Parts<>(claimer, ids, unacquired, settler, outcomes, tasks);
    return started(new ObservedStart<>(parts, runs)::run);
  }

  /** Returns an engine in transactional mode. */
  <T> Engine<M> transactional(
      TransactionalDedupStore<T> transactions, TransactionalHandler<M, T> handler) {
    TransactionCalls<M, T> transactionCalls = new TransactionCalls<>(
        transactions, handler, invoker, events, settings.lease().lease(), env.ticker());
    Step<M> step =
        new TransactionStep<>(transactionCalls, failures, settler, outcomes, events, env.random());
    EagerClaim<M> claimedFirst = new EagerClaim<>(
        lanes(step, doubts(settings.running().onUnknownOutcome())),
        claimer,
        ids,
        settings.running().claimWindow());
    FailedAttempts<M> failedAttempts =
        new FailedAttempts<>(claimCall, checkedStore, failures, unacquired, events, outcomes);
    BatchClaims<M> batchClaims = new BatchClaims<>(claimRequests, outcomes);
    BatchTransaction<M, T> batches = new BatchTransaction<>(
        new BatchTransaction.Parts<>(
            new DuplicateLookup<>(
                new BatchIntake<>(ids, unmarked, outcomes),
                transactionCalls,
                batchClaims,
                unacquired,
                generation),
            batchClaims,
            transactionCalls,
            new BatchResults<>(failures, ages, unacquired, failedAttempts, events, outcomes),
            generation,
            tasks),
        env.random());
    return started(new TransactionalStart<>(claimedFirst, batches, outcomes, tasks)::run);
  }

  /** Connects the handler's mode, and starts everything that runs on a schedule. */
  private Engine<M> started(SubmissionStart.Mode<M> mode) {
    SubmissionStart<M> start = new SubmissionStart<>(blocked, ids, outcomes, tasks, mode);
    GenerationGate<M> gate =
        new GenerationGate<>(generation, settings.reading(), outcomes, events, tasks, start::begin);
    LeaseRenewer<M> leaseRenewer =
        new LeaseRenewer<>(checkedStore, settings.lease(), env, events, submissions);
    leaseRenewer.start();
    Optional<StaleMarkCounter> staleMarks = settings
        .reporting()
        .staleMarks()
        .map(it -> new StaleMarkCounter(store, it, generation, env.threads(), events));
    List<ListenableStore.Registration> registrations = List.of(listen(events), listen(generation));
    generation.whenOpen(() -> true, () -> staleMarks.ifPresent(StaleMarkCounter::start));
    generation.start();
    return new Engine<>(
        settings,
        transactional,
        retention,
        new Engine.Parts<>(
            env,
            calls,
            gate,
            outcomes,
            submissions,
            start.order(),
            new EngineHealth(leaseRenewer, events, staleMarks, submissions, waitingLanes),
            new Shutdown<>(submissions, outcomes, calls, env.threads(), registrations)));
  }

  private ListenableStore.Registration listen(StoreListener listener) {
    return store instanceof ListenableStore listenable ? listenable.listen(listener) : () -> {};
  }
}
