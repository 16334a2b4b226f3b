package io.hapax.internal;

import io.hapax.Delivery;
import io.hapax.ReceiverHealth;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.OutcomeSink;
import io.hapax.adapter.Submission;
import io.hapax.internal.claim.ClaimSender;
import io.hapax.internal.claim.Claimer;
import io.hapax.internal.claim.GenerationGate;
import io.hapax.internal.claim.LeaseRenewer;
import io.hapax.internal.claim.Suspects;
import io.hapax.internal.handler.HandlerInvoker;
import io.hapax.internal.handler.UserCodeCalls;
import io.hapax.internal.message.ActiveSubmission;
import io.hapax.internal.message.Deferrals;
import io.hapax.internal.message.DoneCache;
import io.hapax.internal.message.InFlightIds;
import io.hapax.internal.message.InFlightMessage;
import io.hapax.internal.message.Outcomes;
import io.hapax.internal.message.Submissions;
import io.hapax.internal.message.Tasks;
import io.hapax.internal.message.WaitingLanes;
import io.hapax.internal.report.Events;
import io.hapax.internal.report.LastSettled;
import io.hapax.internal.run.ClaimWindow;
import io.hapax.internal.run.InDoubtResolver;
import io.hapax.internal.runtime.EngineSettings;
import io.hapax.internal.runtime.OwnerName;
import io.hapax.internal.runtime.Platform;
import io.hapax.internal.runtime.Threads;
import io.hapax.internal.settle.Failures;
import io.hapax.internal.settle.Results;
import io.hapax.internal.settle.Settler;
import io.hapax.internal.settle.UnacquiredClaims;
import io.hapax.internal.store.GenerationWatch;
import io.hapax.internal.store.OutageDetector;
import io.hapax.internal.store.StaleMarkCounter;
import io.hapax.internal.store.UnclaimedRun;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.store.DedupStore;
import io.hapax.store.ListenableStore;
import io.hapax.store.StoreListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.Function;

/**
 * Ties the parts together: reads ids, holds back what is on its way already, claims a submission in
 * one call, runs its lanes, and hands each outcome on as it stands. The parts talk to each other
 * only through here.
 */
public final class Engine<M> {

  private static final Duration STILL_HANDLED = Duration.ofSeconds(1);

  /** What runs the messages of a submission once their ids are read. */
  interface Mode<M> {
    void run(List<InFlightMessage<M>> items);
  }

  private final EngineSettings<M> settings;
  private final Platform machine;
  private final Threads threads;
  private final Claimer<M> claimer;
  private final ClaimSender<M> claimCalls;
  private final Settler<M> settler;
  private final Failures<M> failures;
  private final LeaseRenewer<M> leaseKeeper;
  private final GenerationWatch<M> generation;
  private final GenerationGate<M> admission;
  private final Outcomes<M> outcomes;
  private final UserCodeCalls handlerCalls;
  private final HandlerInvoker<M> handling;
  private final Results<M> results;
  private final InDoubtResolver<M> doubts;
  private final ClaimWindow<M> window;
  private final UnacquiredClaims<M> standing;
  private final Tasks<M> tasks;
  private final Events events;
  private final LastSettled lastSettled;
  private final WaitingLanes waitingLanes;
  private final DoneCache doneCache;
  private final OutageDetector<M> outage;
  private final Suspects<M> suspects;
  private final InFlightIds running;
  private final Submissions<M> submissions;
  private final String owner;
  private final boolean transactional;
  private final Duration retention;
  private final Mode<M> mode;
  private final ListenableStore.Registration listening;
  private final ListenableStore.Registration listeningForLosses;
  private final Optional<StaleMarkCounter<M>> staleMarks;

  Engine(
      EngineSettings<M> settings,
      DedupStore store,
      Platform machine,
      boolean transactional,
      Function<Engine<M>, Mode<M>> mode) {
    this.settings = settings;
    this.machine = machine;
    this.transactional = transactional;
    this.retention = settings.lease().shorterThan(store.retention());
    this.owner = OwnerName.of(settings.scope());
    this.lastSettled = new LastSettled(machine.ticker());
    this.waitingLanes = new WaitingLanes(machine.ticker());
    this.submissions = new Submissions<>(machine.ticker());
    this.running = InFlightIds.of(store);
    this.outcomes = new Outcomes<>(this, running);
    this.doneCache = new DoneCache(settings.sparing().doneCache(), retention, machine.ticker());
    this.events = new Events(settings.reporting().listeners(), doneCache::forget);
    this.threads = machine.starter().start(settings.scope(), settings.running().workers());
    this.handlerCalls = new UserCodeCalls(threads);
    this.outage = new OutageDetector<>(this, store, settings.sparing().outage());
    this.standing = new UnacquiredClaims<>(this);
    this.tasks = new Tasks<>(settings.scope(), threads, outcomes, events);
    this.suspects = new Suspects<>(settings, threads, tasks, events);
    this.claimer = new Claimer<>(this, store, settings.lease(), !transactional);
    this.claimCalls = new ClaimSender<>(this);
    this.settler = new Settler<>(this, store);
    this.failures =
        new Failures<>(this, settings.failing(), settings.reporting().deadLetters());
    this.results = new Results<>(this, settings.answering());
    this.handling = new HandlerInvoker<>(this, handlerCalls, settings.running().handlerTimeout());
    this.doubts = new InDoubtResolver<>(this, settings.running());
    this.window = new ClaimWindow<>(this, settings.running().workers());
    this.mode = mode.apply(this);
    this.generation =
        new GenerationWatch<>(this, store, settings.scope(), settings.lease().renewInterval());
    this.admission =
        new GenerationGate<>(generation, settings.reading(), outcomes, events, tasks, this::begin);
    this.leaseKeeper = new LeaseRenewer<>(this, store, settings.lease());
    leaseKeeper.start();
    this.staleMarks =
        settings.reporting().staleMarks().map(it -> new StaleMarkCounter<>(this, store, it));
    this.listening = listen(store, events);
    this.listeningForLosses = listen(store, generation);
    generation.whenOpen(() -> true, () -> staleMarks.ifPresent(StaleMarkCounter::start));
    generation.start();
  }

  private static ListenableStore.Registration listen(DedupStore store, StoreListener listener) {
    return store instanceof ListenableStore listenable ? listenable.listen(listener) : () -> {};
  }

  /** See {@link io.hapax.IdempotentReceiver#submit}. */
  public Submission submit(List<Incoming<M>> incoming, OutcomeSink sink) {
    List<Incoming<M>> messages = List.copyOf(incoming);
    ActiveSubmission<M> batch =
        new ActiveSubmission<>(outcomes, sink, messages.size(), machine.ticker());
    Runnable entry = admission.of(batch, messages);
    take(batch, () -> threads.call(entry));
    return batch;
  }

  /** See {@link io.hapax.IdempotentReceiver#submitOnCallerThread}. */
  public Submission submitOnCallerThread(List<Incoming<M>> incoming, OutcomeSink sink) {
    List<Incoming<M>> messages = List.copyOf(incoming);
    ActiveSubmission<M> batch =
        new ActiveSubmission<>(outcomes, sink, messages.size(), machine.ticker());
    Runnable entry = admission.of(batch, messages);
    take(batch, () -> {});
    if (!batch.over()) { // outside of any lock: others do the same meanwhile
      batch.here(entry);
    }
    return batch;
  }

  private void take(ActiveSubmission<M> batch, Runnable start) {
    if (!submissions.take(batch, start)) {
      throw new IllegalStateException("receiver '" + settings.scope() + "' is closed");
    }
  }

  /** See {@link io.hapax.IdempotentReceiver#receive}. */
  public List<Outcome> receive(List<Incoming<M>> messages, Duration patience)
      throws InterruptedException {
    return BlockingReceive.receive(this, messages, patience);
  }

  private void begin(ActiveSubmission<M> batch, List<InFlightMessage<M>> items) {
    failures.stalls().comeAgain(items);
    List<InFlightMessage<M>> unknown = new ArrayList<>(items);
    unknown.removeIf(this::knownToBeDone);
    for (InFlightMessage<M> item : unknown) {
      if (item.markable && !running.register(item.requiredKey(), item)) {
        outcomes.finish(item, Deferrals.busy(STILL_HANDLED));
      } else if (!item.markable) {
        item.givenUpFor().ifPresent(unread -> outcomes.finish(item, unread));
      }
    }
    batch.items(items); // only now: what is given up before it stands for its id would stay there
    if (batch.abandoned()) {
      outcomes.giveUp(items, Deferrals.ABANDONED);
    }
    tasks.guarded(items, () -> mode.run(unknown)).run();
  }

  /** Finishes a duplicate that the store need not be asked about. */
  private boolean knownToBeDone(InFlightMessage<M> item) {
    if (!item.markable || !doneCache.knows(item.requiredKey(), item.fingerprint)) {
      return false;
    }
    events.tell(it -> it.onCacheHit(item.requiredKey()));
    outcomes.finish(item, new Outcome.Duplicate());
    return true;
  }

  public boolean leaseSuffices(InFlightMessage<M> item) {
    return item.lease.leftNanos(nanos()) >= settings.lease().margin().toNanos();
  }

  /** Gives up what has not started, and lets nothing through any more that was held back. */
  public void abandonAll() {
    submissions.open().forEach(ActiveSubmission::giveUp);
  }

  /** Under what this receiver's marks are kept; empty until its generation is known. */
  public Optional<String> scope() {
    return generation.scope();
  }

  public void ended(ActiveSubmission<M> batch) {
    submissions.ended(batch);
    if (!batch.broken()) {
      events.whole();
    }
  }

  public Delivery<M> delivery(InFlightMessage<M> item, Acquired acquired) {
    Delivery.Lease lease = UnclaimedRun.is(acquired.claim()) ? UnclaimedRun.NO_LEASE : item.lease;
    return new Delivery<>(item.incoming.message(), acquired, lease);
  }

  public static Outcome executed(Acquired acquired, Bytes result) {
    return UnclaimedRun.is(acquired.claim())
        ? new Outcome.Unprotected(result)
        : new Outcome.Executed(
            acquired.claim().token(), acquired.claim().attempt().number(), result);
  }

  public List<InFlightMessage<M>> activeItems() {
    return submissions.items();
  }

  public long nanos() {
    return machine.ticker().nanos();
  }

  public DoubleSupplier dice() {
    return machine.dice();
  }

  public EngineSettings<M> settings() {
    return settings;
  }

  public String owner() {
    return owner;
  }

  public InFlightIds running() {
    return running;
  }

  public Tasks<M> tasks() {
    return tasks;
  }

  public Threads threads() {
    return threads;
  }

  public Claimer<M> claimer() {
    return claimer;
  }

  public ClaimSender<M> claimCalls() {
    return claimCalls;
  }

  public Settler<M> settler() {
    return settler;
  }

  public Failures<M> failures() {
    return failures;
  }

  public Outcomes<M> outcomes() {
    return outcomes;
  }

  public UserCodeCalls handlerCalls() {
    return handlerCalls;
  }

  public HandlerInvoker<M> handling() {
    return handling;
  }

  public Results<M> results() {
    return results;
  }

  public InDoubtResolver<M> doubts() {
    return doubts;
  }

  public ClaimWindow<M> window() {
    return window;
  }

  public UnacquiredClaims<M> standing() {
    return standing;
  }

  public Events events() {
    return events;
  }

  public Suspects<M> suspects() {
    return suspects;
  }

  public WaitingLanes waitingLanes() {
    return waitingLanes;
  }

  public LastSettled lastSettled() {
    return lastSettled;
  }

  public GenerationWatch<M> generation() {
    return generation;
  }

  public OutageDetector<M> outage() {
    return outage;
  }

  public DoneCache doneCache() {
    return doneCache;
  }

  /** See {@link io.hapax.IdempotentReceiver#health}. */
  public ReceiverHealth health() {
    leaseKeeper.raiseIfLate();
    return new ReceiverHealth(
        events.storeAnswers(),
        events.troubles(),
        lastSettled.ago(),
        staleMarks.flatMap(StaleMarkCounter::latest),
        submissions.oldest(),
        waitingLanes.waiting());
  }

  /** See {@link io.hapax.IdempotentReceiver#transactional}. */
  public boolean transactional() {
    return transactional;
  }

  /** See {@link io.hapax.IdempotentReceiver#retention}. */
  public Duration retention() {
    return retention;
  }

  /** See {@link io.hapax.IdempotentReceiver#close()}. */
  public void close() {
    close(settings.running().drainTimeout());
  }

  /** See {@link io.hapax.IdempotentReceiver#close(Duration)}. */
  public void close(Duration limit) {
    List<ActiveSubmission<M>> open = submissions.close();
    open.forEach(ActiveSubmission::giveUp);
    boolean interrupted = submissions.await(open, limit);
    listening.close();
    listeningForLosses.close();
    threads.stop();
    handlerCalls.interruptAll();
    for (ActiveSubmission<M> batch : open) {
      batch.items().forEach(item -> outcomes.finish(item, Deferrals.ABANDONED));
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
