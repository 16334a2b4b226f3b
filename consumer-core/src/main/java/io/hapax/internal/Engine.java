package io.hapax.internal;

import io.hapax.Delivery;
import io.hapax.Incoming;
import io.hapax.Outcome;
import io.hapax.OutcomeSink;
import io.hapax.ReceiverHealth;
import io.hapax.Submission;
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
    void run(List<Item<M>> items);
  }

  private final EngineSettings<M> settings;
  private final Machine machine;
  private final Threads threads;
  private final Claimer<M> claimer;
  private final ClaimCalls<M> claimCalls;
  private final Settler<M> settler;
  private final Failures<M> failures;
  private final LeaseKeeper<M> leaseKeeper;
  private final GenerationWatch<M> generation;
  private final Admission<M> admission;
  private final Outcomes<M> outcomes;
  private final HandlerCalls handlerCalls;
  private final Handling<M> handling;
  private final Results<M> results;
  private final Doubts<M> doubts;
  private final ClaimWindow<M> window;
  private final Standing<M> standing;
  private final Tasks<M> tasks;
  private final Events events;
  private final LastSettled lastSettled;
  private final WaitingLanes waitingLanes;
  private final DoneCache doneCache;
  private final Outage<M> outage;
  private final Suspects<M> suspects;
  private final RunningIds running;
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
      Machine machine,
      boolean transactional,
      Function<Engine<M>, Mode<M>> mode) {
    this.settings = settings;
    this.machine = machine;
    this.transactional = transactional;
    this.retention = settings.lease().shorterThan(store.retention());
    this.owner = Owner.of(settings.scope());
    this.lastSettled = new LastSettled(machine.ticker());
    this.waitingLanes = new WaitingLanes(machine.ticker());
    this.submissions = new Submissions<>(machine.ticker());
    this.running = RunningIds.of(store);
    this.outcomes = new Outcomes<>(this, running);
    this.doneCache = new DoneCache(settings.sparing().doneCache(), retention, machine.ticker());
    this.events = new Events(settings.reporting().listeners(), doneCache::forget);
    this.threads = machine.starter().start(settings.scope(), settings.running().workers());
    this.handlerCalls = new HandlerCalls(threads);
    this.outage = new Outage<>(this, store, settings.sparing().outage());
    this.standing = new Standing<>(this);
    this.tasks = new Tasks<>(settings.scope(), threads, outcomes, events);
    this.suspects = new Suspects<>(settings, threads, tasks, events);
    this.claimer = new Claimer<>(this, store, settings.lease(), !transactional);
    this.claimCalls = new ClaimCalls<>(this);
    this.settler = new Settler<>(this, store);
    this.failures =
        new Failures<>(this, settings.failing(), settings.reporting().deadLetters());
    this.results = new Results<>(this, settings.answering());
    this.handling = new Handling<>(this, handlerCalls, settings.running().handlingLimit());
    this.doubts = new Doubts<>(this, settings.running());
    this.window = new ClaimWindow<>(this, settings.running().workers());
    this.mode = mode.apply(this);
    this.generation =
        new GenerationWatch<>(this, store, settings.scope(), settings.lease().renewInterval());
    this.admission =
        new Admission<>(generation, settings.reading(), outcomes, events, tasks, this::begin);
    this.leaseKeeper = new LeaseKeeper<>(this, store, settings.lease());
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
    Batch<M> batch = new Batch<>(outcomes, sink, messages.size(), machine.ticker());
    Runnable entry = admission.of(batch, messages);
    take(batch, () -> threads.call(entry));
    return batch;
  }

  /** See {@link io.hapax.IdempotentReceiver#submitHere}. */
  public Submission submitHere(List<Incoming<M>> incoming, OutcomeSink sink) {
    List<Incoming<M>> messages = List.copyOf(incoming);
    Batch<M> batch = new Batch<>(outcomes, sink, messages.size(), machine.ticker());
    Runnable entry = admission.of(batch, messages);
    take(batch, () -> {});
    if (!batch.over()) { // outside of any lock: others do the same meanwhile
      batch.here(entry);
    }
    return batch;
  }

  private void take(Batch<M> batch, Runnable start) {
    if (!submissions.take(batch, start)) {
      throw new IllegalStateException("receiver '" + settings.scope() + "' is closed");
    }
  }

  /** See {@link io.hapax.IdempotentReceiver#receive}. */
  public List<Outcome> receive(List<Incoming<M>> messages, Duration patience)
      throws InterruptedException {
    return BlockingReceive.receive(this, messages, patience);
  }

  private void begin(Batch<M> batch, List<Item<M>> items) {
    failures.stalls().comeAgain(items);
    List<Item<M>> unknown = new ArrayList<>(items);
    unknown.removeIf(this::knownToBeDone);
    for (Item<M> item : unknown) {
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
  private boolean knownToBeDone(Item<M> item) {
    if (!item.markable || !doneCache.knows(item.requiredKey(), item.fingerprint)) {
      return false;
    }
    events.tell(it -> it.onCacheHit(item.requiredKey()));
    outcomes.finish(item, new Outcome.Duplicate());
    return true;
  }

  boolean leaseSuffices(Item<M> item) {
    return item.lease.leftNanos(nanos()) >= settings.lease().margin().toNanos();
  }

  /** Gives up what has not started, and lets nothing through any more that was held back. */
  void abandonAll() {
    submissions.open().forEach(Batch::giveUp);
  }

  /** Under what this receiver's marks are kept; empty until its generation is known. */
  Optional<String> scope() {
    return generation.scope();
  }

  void ended(Batch<M> batch) {
    submissions.ended(batch);
    if (!batch.broken()) {
      events.whole();
    }
  }

  Delivery<M> delivery(Item<M> item, Acquired acquired) {
    Delivery.Lease lease = Unprotected.is(acquired.claim()) ? Unprotected.NO_LEASE : item.lease;
    return new Delivery<>(item.incoming.message(), acquired, lease);
  }

  static Outcome executed(Acquired acquired, Bytes result) {
    return Unprotected.is(acquired.claim())
        ? new Outcome.Unprotected(result)
        : new Outcome.Executed(
            acquired.claim().token(), acquired.claim().attempt().number(), result);
  }

  List<Item<M>> activeItems() {
    return submissions.items();
  }

  long nanos() {
    return machine.ticker().nanos();
  }

  DoubleSupplier dice() {
    return machine.dice();
  }

  public EngineSettings<M> settings() {
    return settings;
  }

  String owner() {
    return owner;
  }

  RunningIds running() {
    return running;
  }

  Tasks<M> tasks() {
    return tasks;
  }

  Threads threads() {
    return threads;
  }

  Claimer<M> claimer() {
    return claimer;
  }

  ClaimCalls<M> claimCalls() {
    return claimCalls;
  }

  Settler<M> settler() {
    return settler;
  }

  Failures<M> failures() {
    return failures;
  }

  Outcomes<M> outcomes() {
    return outcomes;
  }

  HandlerCalls handlerCalls() {
    return handlerCalls;
  }

  Handling<M> handling() {
    return handling;
  }

  Results<M> results() {
    return results;
  }

  Doubts<M> doubts() {
    return doubts;
  }

  ClaimWindow<M> window() {
    return window;
  }

  Standing<M> standing() {
    return standing;
  }

  Events events() {
    return events;
  }

  Suspects<M> suspects() {
    return suspects;
  }

  WaitingLanes waitingLanes() {
    return waitingLanes;
  }

  LastSettled lastSettled() {
    return lastSettled;
  }

  GenerationWatch<M> generation() {
    return generation;
  }

  Outage<M> outage() {
    return outage;
  }

  DoneCache doneCache() {
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
    List<Batch<M>> open = submissions.close();
    open.forEach(Batch::giveUp);
    boolean interrupted = submissions.await(open, limit);
    listening.close();
    listeningForLosses.close();
    threads.stop();
    handlerCalls.interruptAll();
    for (Batch<M> batch : open) {
      batch.items().forEach(item -> outcomes.finish(item, Deferrals.ABANDONED));
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
