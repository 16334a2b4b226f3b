package io.hapax.internal;

import io.hapax.Delivery;
import io.hapax.Incoming;
import io.hapax.MessageHandler;
import io.hapax.Outcome;
import io.hapax.OutcomeSink;
import io.hapax.ReceiverListener;
import io.hapax.Submission;
import io.hapax.TransactionalHandler;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Verdict;
import io.hapax.store.DedupStore;
import io.hapax.store.TransactionalDedupStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ties the parts together: reads ids, holds back what is on its way already, claims a submission in
 * one call, runs its lanes, and hands each outcome on as it stands. The parts talk to each other
 * only through here.
 */
public final class Engine<M> {

  private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

  /** What runs the messages of a submission once their ids are read. */
  private interface Mode<M> {
    void run(List<Item<M>> items);
  }

  private final EngineSettings<M> settings;
  private final Ticker ticker;
  private final Threads threads;
  private final Claimer<M> claimer;
  private final Settler<M> settler;
  private final Failures<M> failures;
  private final Troubles troubles = new Troubles();
  private final SoloGate soloGate = new SoloGate();
  private final RunningIds running;
  private final Set<Batch<M>> active = ConcurrentHashMap.newKeySet();
  private final String owner;
  private final boolean transactional;
  private final Duration retention;
  private final Mode<M> mode;
  private volatile boolean closed;

  private Engine(
      EngineSettings<M> settings,
      DedupStore store,
      Ticker ticker,
      boolean transactional,
      Function<Engine<M>, Mode<M>> mode) {
    this.settings = settings;
    this.ticker = ticker;
    this.transactional = transactional;
    this.retention = settings.lease().shorterThan(store.retention());
    this.owner = ProcessHandle.current().pid() + "/" + settings.scope();
    this.running = RunningIds.of(store);
    this.threads = Threads.start(settings.scope(), settings.running().workers());
    this.claimer = new Claimer<>(this, store, settings.lease(), !transactional);
    this.settler = new Settler<>(this, store);
    this.failures = new Failures<>(this, settings.retry(), settings.reporting().deadLetters());
    this.mode = mode.apply(this);
    new LeaseKeeper<>(this, store, settings.lease()).start();
  }

  /** An engine in leased mode. */
  public static <M> Engine<M> leased(
      EngineSettings<M> settings, DedupStore store, MessageHandler<M> handler, Ticker ticker) {
    return new Engine<>(settings, store, ticker, false, engine -> {
      Step<M> step = new HandlerStep<>(engine, handler);
      return items -> engine.claimAndRun(items, step);
    });
  }

  /** An engine in transactional mode. */
  public static <M, T> Engine<M> transactional(
      EngineSettings<M> settings,
      TransactionalDedupStore<T> store,
      TransactionalHandler<M, T> handler,
      Ticker ticker) {
    return new Engine<>(settings, store, ticker, true, engine -> {
      Step<M> step = new TransactionStep<>(engine, store, handler);
      BatchTransaction<M, T> batches = new BatchTransaction<>(engine, store, handler);
      return items -> {
        List<Item<M>> probation =
            items.stream().filter(it -> it.incoming.probation()).toList();
        engine.claimAndRun(probation, step);
        batches.run(items.stream().filter(it -> !it.incoming.probation()).toList());
      };
    });
  }

  /** See {@link io.hapax.IdempotentReceiver#submit}. */
  public Submission submit(List<Incoming<M>> messages, OutcomeSink sink) {
    if (closed) {
      throw new IllegalStateException("receiver '" + settings.scope() + "' is closed");
    }
    Batch<M> batch = new Batch<>(this, sink, messages.size());
    if (!messages.isEmpty()) {
      active.add(batch);
      threads.call(() -> intake(batch, messages));
    }
    return batch;
  }

  /** See {@link io.hapax.IdempotentReceiver#receive}. */
  public List<Outcome> receive(List<Incoming<M>> messages, Duration patience)
      throws InterruptedException {
    AtomicReferenceArray<Outcome> outcomes = new AtomicReferenceArray<>(messages.size());
    Submission submission = submit(messages, outcomes::set);
    try {
      if (!submission.await(patience)) {
        submission.abandon();
        submission.await(Duration.ofNanos(Long.MAX_VALUE));
      }
    } catch (InterruptedException e) {
      submission.abandon();
      throw e;
    }
    List<Outcome> result = new ArrayList<>(messages.size());
    for (int i = 0; i < messages.size(); i++) {
      result.add(outcomes.get(i));
    }
    return result;
  }

  private void intake(Batch<M> batch, List<Incoming<M>> messages) {
    List<Item<M>> items = new ArrayList<>(messages.size());
    for (Incoming<M> message : messages) {
      Optional<MessageKey> key = keyOf(message);
      Fingerprint fingerprint = key.isEmpty() ? Fingerprint.NONE : fingerprintOf(message);
      items.add(new Item<>(batch, items.size(), message, key, fingerprint));
    }
    for (Item<M> item : items) {
      item.key.ifPresent(key -> running.register(key, item));
    }
    batch.items(List.copyOf(items));
    if (batch.abandoned()) {
      giveUp(items, Deferrals.ABANDONED);
    }
    mode.run(items);
  }

  private Optional<MessageKey> keyOf(Incoming<M> message) {
    try {
      Optional<Bytes> id = settings.reading().ids().idOf(message.message());
      return id.map(bytes -> MessageKey.of(settings.scope(), bytes));
    } catch (RuntimeException e) {
      LOG.warn("No usable id at {}", message.coordinates(), e);
      return Optional.empty();
    }
  }

  private Fingerprint fingerprintOf(Incoming<M> message) {
    try {
      return settings.reading().fingerprint().apply(message.message());
    } catch (RuntimeException e) {
      LOG.warn("No fingerprint at {}: payloads are not compared", message.coordinates(), e);
      return Fingerprint.NONE;
    }
  }

  private void claimAndRun(List<Item<M>> items, Step<M> step) {
    if (items.isEmpty()) {
      return;
    }
    List<Item<M>> asked = items.stream().filter(this::holdsItsId).toList();
    claimer.claim(
        asked, () -> lanes(items).values().forEach(lane -> new Lane<>(this, lane, step).open()));
  }

  /** The items by lane, each in the order handed in. */
  static <M> Map<String, List<Item<M>>> lanes(Collection<Item<M>> items) {
    Map<String, List<Item<M>>> lanes = new LinkedHashMap<>();
    for (Item<M> item : items) {
      lanes.computeIfAbsent(item.incoming.lane(), lane -> new ArrayList<>()).add(item);
    }
    return lanes;
  }

  /** Whether the item, and not another on its way in this process, stands for its id. */
  boolean holdsItsId(Item<M> item) {
    return item.key.isPresent() && running.holder(item.requiredKey()) == item;
  }

  /** Whether the item waits for another of the given ones. */
  boolean followsWithin(Item<M> item, List<Item<M>> items) {
    Object holder = running.holder(item.requiredKey());
    return holder != null && holder != item && items.stream().anyMatch(other -> other == holder);
  }

  /** Gives an item its outcome, and with it all that waits for it. */
  void finish(Item<M> item, Outcome outcome) {
    if (!item.finish(outcome)) {
      return;
    }
    item.key.ifPresent(key -> running.release(key, item));
    item.batch.sink.accept(item.index, outcome);
    tell(listener -> listener.onOutcome(item.incoming.coordinates(), outcome));
    item.followers().forEach(follower -> follow(follower, item, outcome));
    item.finishedAction().ifPresent(Runnable::run);
    if (item.batch.countDown()) {
      active.remove(item.batch);
    }
  }

  private void follow(Item<M> follower, Item<M> holder, Outcome outcome) {
    if (outcome instanceof Outcome.Deferred deferred) {
      finish(follower, Deferrals.behind(deferred.after()));
    } else if (follower.fingerprint.conflictsWith(holder.fingerprint)) {
      threads.work(() -> failures.withoutMark(
          follower,
          io.hapax.DeadLetter.Kind.CONFLICT,
          "another payload was just handled under this id"));
    } else {
      finish(follower, outcome instanceof Outcome.DeadLettered ? outcome : new Outcome.Duplicate());
    }
  }

  /**
   * Defers items that have not started; claims among them are released before their outcome is
   * handed on.
   */
  void giveUp(List<Item<M>> items, Outcome because) {
    for (Item<M> item : items) {
      carryOut(item, item.giveUp(because));
    }
  }

  void carryOut(Item<M> item, Item.GivenUp todo) {
    switch (todo) {
      case NOTHING -> {}
      case FINISH -> finish(item, item.givenUpFor().orElseThrow());
      case RELEASE ->
        settler.settle(item, new Verdict.Release(), item.givenUpFor().orElseThrow());
    }
  }

  void fenced(Item<M> item, long token) {
    LOG.warn(
        "Claim {} of {} was taken over; its effect may be repeated", token, item.requiredKey());
    tell(listener -> listener.onFenced(item.requiredKey(), token));
  }

  void storeFailed(String verb, RuntimeException error) {
    LOG.debug("Store failed to {}", verb, error);
    troubles.raise("store", "store failed to " + verb + ": " + error);
    tell(listener -> listener.onStoreError(verb, error));
  }

  void storeAnswered() {
    troubles.clear("store");
  }

  void tell(Consumer<ReceiverListener> event) {
    try {
      event.accept(settings.reporting().listener());
    } catch (RuntimeException e) {
      LOG.warn("A receiver listener threw", e);
    }
  }

  Delivery<M> delivery(Item<M> item, Acquired acquired) {
    return new Delivery<>(
        item.incoming.message(),
        acquired,
        () -> Duration.ofNanos(Math.max(0, item.leaseLeftNanos(nanos()))));
  }

  static Outcome executed(Acquired acquired) {
    return new Outcome.Executed(
        acquired.claim().token(), acquired.claim().attempt().number());
  }

  List<Item<M>> activeItems() {
    return active.stream().flatMap(batch -> batch.items().stream()).toList();
  }

  long nanos() {
    return ticker.nanos();
  }

  long marginNanos() {
    return settings.lease().margin().toNanos();
  }

  public EngineSettings<M> settings() {
    return settings;
  }

  String owner() {
    return owner;
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

  Troubles troubles() {
    return troubles;
  }

  SoloGate soloGate() {
    return soloGate;
  }

  /** See {@link io.hapax.IdempotentReceiver#trouble}. */
  public Optional<String> trouble() {
    return troubles.all();
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
    closed = true;
    long end = nanos() + settings.running().drainTimeout().toNanos();
    List<Batch<M>> open = List.copyOf(active);
    open.forEach(Batch::abandon);
    boolean interrupted = false;
    for (Batch<M> batch : open) {
      try {
        batch.await(Duration.ofNanos(Math.max(0, end - nanos())));
      } catch (InterruptedException e) {
        interrupted = true;
        end = nanos();
      }
    }
    threads.stop();
    for (Batch<M> batch : open) {
      batch.items().forEach(item -> finish(item, Deferrals.ABANDONED));
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
