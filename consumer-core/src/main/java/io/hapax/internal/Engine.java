package io.hapax.internal;

import io.hapax.AnsweringHandler;
import io.hapax.BatchHandler;
import io.hapax.Delivery;
import io.hapax.Incoming;
import io.hapax.MessageHandler;
import io.hapax.Outcome;
import io.hapax.OutcomeSink;
import io.hapax.ReceiverHealth;
import io.hapax.StalePolicy;
import io.hapax.Submission;
import io.hapax.TransactionalHandler;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.store.DedupStore;
import io.hapax.store.ListenableStore;
import io.hapax.store.TransactionalDedupStore;
import java.time.Duration;
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
  private interface Mode<M> {
    void run(List<Item<M>> items);
  }

  private final EngineSettings<M> settings;
  private final Machine machine;
  private final Threads threads;
  private final Claimer<M> claimer;
  private final Settler<M> settler;
  private final Failures<M> failures;
  private final Intake<M> intake;
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
  private final DoneCache doneCache;
  private final Outage<M> outage;
  private final SoloGate soloGate = new SoloGate();
  private final RunningIds running;
  private final Submissions<M> submissions;
  private final String owner;
  private final boolean transactional;
  private final Duration retention;
  private final Mode<M> mode;
  private final ListenableStore.Registration listening;
  private final Optional<StaleMarkCounter<M>> staleMarks;

  private Engine(
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
    this.submissions = new Submissions<>(machine.ticker());
    this.running = RunningIds.of(store);
    this.outcomes = new Outcomes<>(this, running);
    this.doneCache = new DoneCache(settings.sparing().doneCache(), retention, machine.ticker());
    this.events = new Events(settings.reporting().listeners(), doneCache::forget);
    this.intake = new Intake<>(settings.scope(), settings.reading(), events);
    this.threads = machine.starter().start(settings.scope(), settings.running().workers());
    this.handlerCalls = new HandlerCalls(threads);
    this.outage = new Outage<>(this, settings.sparing().outage());
    this.standing = new Standing<>(this);
    this.tasks = new Tasks<>(settings.scope(), threads, outcomes, events);
    this.claimer = new Claimer<>(this, store, settings.lease(), !transactional);
    this.settler = new Settler<>(this, store);
    this.failures =
        new Failures<>(this, settings.failing(), settings.reporting().deadLetters());
    this.results = new Results<>(this, settings.answering());
    this.handling = new Handling<>(this, handlerCalls, settings.running().handlingLimit());
    this.doubts = new Doubts<>(this, settings.running());
    this.window = new ClaimWindow<>(this, settings.running().workers());
    this.mode = mode.apply(this);
    new LeaseKeeper<>(this, store, settings.lease()).start();
    this.staleMarks =
        settings.reporting().staleMarks().map(it -> new StaleMarkCounter<>(this, store, it));
    this.listening =
        store instanceof ListenableStore listenable ? listenable.listen(events) : () -> {};
    staleMarks.ifPresent(StaleMarkCounter::start);
  }

  /** An engine in leased mode. */
  public static <M> Engine<M> leased(
      EngineSettings<M> settings, DedupStore store, MessageHandler<M> handler, Ticker ticker) {
    return leased(settings, store, handler, Machine.with(ticker));
  }

  static <M> Engine<M> leased(
      EngineSettings<M> settings, DedupStore store, MessageHandler<M> handler, Machine machine) {
    return leased(settings, store, machine, engine -> HandlerStep.single(engine, handler));
  }

  /** An engine in leased mode whose handler returns results. */
  public static <M> Engine<M> answering(
      EngineSettings<M> settings, DedupStore store, AnsweringHandler<M> handler, Ticker ticker) {
    return leased(
        settings, store, Machine.with(ticker), engine -> HandlerStep.answering(engine, handler));
  }

  /** An engine in leased mode whose handler takes many messages at once. */
  public static <M> Engine<M> leasedBatches(
      EngineSettings<M> settings, DedupStore store, BatchHandler<M> handler, Ticker ticker) {
    return leasedBatches(settings, store, handler, Machine.with(ticker));
  }

  static <M> Engine<M> leasedBatches(
      EngineSettings<M> settings, DedupStore store, BatchHandler<M> handler, Machine machine) {
    return leased(settings, store, machine, engine -> HandlerStep.batch(engine, handler));
  }

  private static <M> Engine<M> leased(
      EngineSettings<M> settings,
      DedupStore store,
      Machine machine,
      Function<Engine<M>, Step<M>> steps) {
    return new Engine<>(settings, store, machine, false, engine -> {
      Step<M> step = steps.apply(engine);
      return settings.running().stalePolicy() instanceof StalePolicy.Rerun
          ? new WholeClaim<>(engine, step)::run
          : items -> engine.window.run(items, step);
    });
  }

  /** An engine in transactional mode. */
  public static <M, T> Engine<M> transactional(
      EngineSettings<M> settings,
      TransactionalDedupStore<T> store,
      TransactionalHandler<M, T> handler,
      Ticker ticker) {
    return transactional(settings, store, handler, Machine.with(ticker));
  }

  static <M, T> Engine<M> transactional(
      EngineSettings<M> settings,
      TransactionalDedupStore<T> store,
      TransactionalHandler<M, T> handler,
      Machine machine) {
    settings.refuseWhatNeedsLeasedMode();
    refusesNothing(store);
    return new Engine<>(settings, store, machine, true, engine -> {
      WholeClaim<M> claimedFirst =
          new WholeClaim<>(engine, new TransactionStep<>(engine, store, handler));
      BatchTransaction<M, T> batches = new BatchTransaction<>(engine, store, handler);
      return items -> {
        List<Item<M>> probation =
            items.stream().filter(it -> it.incoming.probation()).toList();
        claimedFirst.run(probation);
        batches.run(items.stream().filter(it -> !it.incoming.probation()).toList());
      };
    });
  }

  /** A store that was told never to be transactional says so now, not at the first message. */
  private static <T> void refusesNothing(TransactionalDedupStore<T> store) {
    var unused = store.runOnce(List.of(), (transaction, answers) -> {});
  }

  /** See {@link io.hapax.IdempotentReceiver#submit}. */
  public Submission submit(List<Incoming<M>> incoming, OutcomeSink sink) {
    List<Incoming<M>> messages = List.copyOf(incoming);
    Batch<M> batch = new Batch<>(outcomes, sink, messages.size(), nanos());
    if (!submissions.take(batch, () -> threads.call(() -> begin(batch, messages)))) {
      throw new IllegalStateException("receiver '" + settings.scope() + "' is closed");
    }
    return batch;
  }

  /** See {@link io.hapax.IdempotentReceiver#receive}. */
  public List<Outcome> receive(List<Incoming<M>> messages, Duration patience)
      throws InterruptedException {
    return BlockingReceive.receive(this, messages, patience);
  }

  private void begin(Batch<M> batch, List<Incoming<M>> messages) {
    List<Item<M>> items = intake.read(batch, messages);
    List<Item<M>> unknown = items.stream().filter(item -> !knownToBeDone(item)).toList();
    for (Item<M> item : unknown) {
      if (item.key.isPresent() && !running.register(item.requiredKey(), item)) {
        outcomes.finish(item, Deferrals.busy(STILL_HANDLED));
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
    boolean known =
        item.key.filter(key -> doneCache.knows(key, item.fingerprint)).isPresent();
    if (known) {
      events.tell(it -> it.onCacheHit(item.requiredKey()));
      outcomes.finish(item, new Outcome.Duplicate());
    }
    return known;
  }

  boolean leaseSuffices(Item<M> item) {
    return item.lease.leftNanos(nanos()) >= settings.lease().margin().toNanos();
  }

  void ended(Batch<M> batch) {
    submissions.ended(batch);
    if (!batch.broken()) {
      events.whole();
    }
  }

  Delivery<M> delivery(Item<M> item, Acquired acquired) {
    Delivery.Lease lease = Unprotected.is(acquired)
        ? Unprotected.NO_LEASE
        : new LeaseView(item.lease, machine.ticker());
    return new Delivery<>(item.incoming.message(), acquired, lease);
  }

  static Outcome executed(Acquired acquired, Bytes result) {
    return Unprotected.is(acquired)
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

  SoloGate soloGate() {
    return soloGate;
  }

  LastSettled lastSettled() {
    return lastSettled;
  }

  Outage<M> outage() {
    return outage;
  }

  DoneCache doneCache() {
    return doneCache;
  }

  /** See {@link io.hapax.IdempotentReceiver#health}. */
  public ReceiverHealth health() {
    return new ReceiverHealth(
        events.storeAnswers(),
        events.troubles(),
        lastSettled.ago(),
        staleMarks.flatMap(StaleMarkCounter::latest),
        submissions.oldest());
  }

  /** See {@link io.hapax.IdempotentReceiver#transactional}. */
  public boolean transactional() {
    return transactional;
  }

  /** See {@link io.hapax.IdempotentReceiver#retention}. */
  public Duration retention() {
    return retention;
  }

  /** See {@link io.hapax.IdempotentReceiver#close}. */
  public void close() {
    List<Batch<M>> open = submissions.close();
    open.forEach(Batch::abandon);
    boolean interrupted = submissions.await(open, settings.running().drainTimeout());
    listening.close();
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
