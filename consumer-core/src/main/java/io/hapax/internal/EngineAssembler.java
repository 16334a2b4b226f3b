package io.hapax.internal;

import io.hapax.LeaseSettings;
import io.hapax.TransactionalHandler;
import io.hapax.UnknownOutcomePolicy;
import io.hapax.internal.claim.ClaimCall;
import io.hapax.internal.claim.Claims;
import io.hapax.internal.claim.LeaseRenewer;
import io.hapax.internal.claim.Suspects;
import io.hapax.internal.handler.HandlerInvoker;
import io.hapax.internal.handler.UserCodeCalls;
import io.hapax.internal.message.ActiveSubmission;
import io.hapax.internal.message.BlockedMessages;
import io.hapax.internal.message.InFlightIds;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.MessageReader;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.message.Submissions;
import io.hapax.internal.message.Tasks;
import io.hapax.internal.report.Events;
import io.hapax.internal.run.Admission;
import io.hapax.internal.run.BatchMessages;
import io.hapax.internal.run.BatchTransaction;
import io.hapax.internal.run.ClaimLimiter;
import io.hapax.internal.run.ClaimWindow;
import io.hapax.internal.run.DuplicateLookup;
import io.hapax.internal.run.HandlerStep;
import io.hapax.internal.run.Lanes;
import io.hapax.internal.run.MessageStart;
import io.hapax.internal.run.ObservedStart;
import io.hapax.internal.run.Probes;
import io.hapax.internal.run.Step;
import io.hapax.internal.run.TransactionCalls;
import io.hapax.internal.run.TransactionStep;
import io.hapax.internal.run.TransactionalStart;
import io.hapax.internal.runtime.ClaimOwner;
import io.hapax.internal.runtime.EngineSettings;
import io.hapax.internal.runtime.Environment;
import io.hapax.internal.runtime.Platform;
import io.hapax.internal.settle.DeadLetters;
import io.hapax.internal.settle.Failures;
import io.hapax.internal.settle.MessageAges;
import io.hapax.internal.settle.Results;
import io.hapax.internal.settle.Settler;
import io.hapax.internal.settle.UnacquiredMessages;
import io.hapax.internal.store.CheckedStore;
import io.hapax.internal.store.GenerationWatch;
import io.hapax.internal.store.StaleMarkCounter;
import io.hapax.store.DedupStore;
import io.hapax.store.ListenableStore;
import io.hapax.store.StoreListener;
import io.hapax.store.TransactionalDedupStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Connects the parts of one engine in the mode of its handler, and starts the engine. Used once, by
 * one thread.
 */
final class EngineAssembler<M> {

  private final EngineSettings<M> settings;
  private final DedupStore store;
  private final boolean transactional;
  private final Duration retention;

  // runtime, report and message
  private final InstantSource clock;
  private final Environment env;
  private final Events events;
  private final InFlightIds ids;
  private final Submissions<M> submissions;
  private final BlockedMessages blocked;
  private final Outcomes<M> outcomes;
  private final Tasks<M> tasks;

  // store
  private final CheckedStore checkedStore;
  private final GenerationWatch generation;

  // claim
  private final ClaimCall claimCall;
  private final Claims<M> claims;
  private final Suspects<M> suspects;

  // handler and settle
  private final UserCodeCalls calls;
  private final HandlerInvoker<M> invoker;
  private final Settler<M> settler;
  private final Results<M> results;
  private final Failures<M> failures;
  private final UnacquiredMessages<M> unacquired;

  EngineAssembler(
      EngineSettings<M> settings, DedupStore store, Platform platform, boolean transactional) {
    this.settings = settings;
    this.store = store;
    this.transactional = transactional;
    LeaseSettings lease = settings.lease();
    this.retention = lease.shorterThan(store.retention());
    this.events = new Events(settings.reporting().listeners(), platform.ticker(), platform.clock());
    this.clock = platform.clock();
    this.env = platform
        .starter()
        .start(
            platform.ticker(),
            settings.scope(),
            settings.running().workers(),
            settings.running().workerThreads().map(it -> new WorkerThreads(it, events)));
    this.ids = InFlightIds.of(store);
    this.submissions = new Submissions<>(env.ticker());
    this.blocked = new BlockedMessages(env.ticker(), events);
    this.outcomes = new Outcomes<>(env, ids, events, blocked, submissions);
    this.tasks = new Tasks<>(settings.scope(), env, outcomes, events);

    this.checkedStore = new CheckedStore(store, events, env.failStop());
    this.generation =
        new GenerationWatch(store, settings.scope(), lease.renewInterval(), env, events);

    this.claimCall = new ClaimCall(
        checkedStore, new ClaimOwner(settings.scope()), !transactional, lease, env.ticker());
    this.claims = new Claims<>(claimCall, generation, events, outcomes, tasks, env);
    this.suspects = new Suspects<>(settings, env, events);

    this.calls = new UserCodeCalls(env);
    this.invoker = new HandlerInvoker<>(env, events, calls, settings.running().handlerTimeout());
    this.settler = new Settler<>(checkedStore, env, events, outcomes);
    DeadLetters<M> deadLetters = new DeadLetters<>(settings, calls, events, blocked);
    MessageAges<M> ages = new MessageAges<>(events, settings.reading().tooOld(), retention);
    this.failures = new Failures<>(settings, deadLetters, ages, settler, calls, blocked);
    this.unacquired =
        new UnacquiredMessages<>(settings, calls, events, deadLetters, blocked, outcomes);
    this.results = new Results<>(settings, calls, tasks, outcomes, settler, unacquired);
  }

  Engine<M> leased(HandlerStep.Handler<M> handler) {
    HandlerStep<M> handlerStep =
        new HandlerStep<>(invoker, results, settler, failures, outcomes, handler);
    Lanes<M> lanes = lanes(handlerStep);
    if (settings.running().onUnknownOutcome() instanceof UnknownOutcomePolicy.Rerun) {
      return started(handler.takesMany(), lanes::run);
    }
    int workers = settings.running().workers();
    return started(handler.takesMany(), new ClaimWindow<>(workers, lanes)::run);
  }

  private Lanes<M> lanes(Step<M> step) {
    UnknownOutcomePolicy<M> policy = settings.running().onUnknownOutcome();
    Optional<Probes<M>> probes = policy instanceof UnknownOutcomePolicy.Probe<M> probe
        ? Optional.of(
            new Probes<>(probe, 2 * settings.running().workers(), env, tasks, calls, events))
        : Optional.empty();
    MessageStart<M> start = new MessageStart<>(
        step, probes, failures, results, unacquired, settings.lease().margin());
    ClaimLimiter limiter = new ClaimLimiter(settings.running().claimWindow());
    return new Lanes<>(start, claims, suspects, tasks, ids, limiter);
  }

  static <M extends ObservedStart.Observed> Engine<M> observing(EngineAssembler<M> it) {
    return it.started(
        false,
        new ObservedStart<>(it.claims, it.ids, it.unacquired, it.settler, it.outcomes, it.tasks)
            ::run);
  }

  <T> Engine<M> transactional(
      TransactionalDedupStore<T> transactions, TransactionalHandler<M, T> handler) {
    TransactionCalls<M, T> transactionCalls = new TransactionCalls<>(
        transactions, handler, invoker, events, settings.lease().lease(), env.ticker());
    Step<M> step = new TransactionStep<>(transactionCalls, failures, settler, outcomes);
    BatchMessages<M> batch =
        new BatchMessages<>(claimCall, ids, failures, unacquired, settler, outcomes);
    BatchTransaction<M, T> batches = new BatchTransaction<>(
        new DuplicateLookup<>(transactionCalls, batch, unacquired, generation),
        batch,
        transactionCalls,
        generation,
        tasks);
    return started(true, new TransactionalStart<>(lanes(step), batches, tasks)::run);
  }

  /** Connects the handler's mode, and starts everything that runs on a schedule. */
  private Engine<M> started(boolean takesMany, Consumer<List<InFlightMessage<M>>> mode) {
    Admission<M> admission = new Admission<>(this::reader, blocked, ids, outcomes, tasks, mode);
    LeaseRenewer<M> leaseRenewer =
        new LeaseRenewer<>(checkedStore, settings.lease(), env, events, submissions);
    leaseRenewer.start();
    Optional<StaleMarkCounter> staleMarks = settings
        .reporting()
        .staleMarks()
        .map(it -> new StaleMarkCounter(store, it, generation, env, events));
    generation.start(
        () -> {
          staleMarks.ifPresent(StaleMarkCounter::start);
          admission.open();
        },
        () -> {
          admission.end();
          submissions.open().forEach(ActiveSubmission::giveUp);
        });
    // Last: a poll after a loss might learn the generation before it is known what to do then.
    List<ListenableStore.Registration> registrations = List.of(listen(events), listen(generation));
    return new Engine<>(
        settings,
        settings.forAdapters(transactional, takesMany, retention),
        clock,
        new Engine.Parts<>(
            env,
            calls,
            admission,
            results,
            submissions,
            new Engine.Health(
                List.of(
                    leaseRenewer::raiseIfLate,
                    generation::raiseIfHanging,
                    blocked::clearMissing,
                    () -> env.failStop().cause().ifPresent(events::receiverFailed)),
                events,
                staleMarks,
                submissions,
                outcomes),
            new Engine.Shutdown<>(submissions, outcomes, calls, env, registrations)));
  }

  private MessageReader<M> reader() {
    return new MessageReader<>(generation.scope().orElseThrow(), settings.reading(), events);
  }

  private ListenableStore.Registration listen(StoreListener listener) {
    return store instanceof ListenableStore listenable ? listenable.listen(listener) : () -> {};
  }
}
