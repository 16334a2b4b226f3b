package io.hapax.internal;

import io.hapax.mark.ConsumerScope;
import io.hapax.store.DedupStore;
import io.hapax.store.StoreListener;
import io.hapax.store.StoreLoss;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the generation of the receiver's consumer before its first claim, and again and again while
 * it runs. The receiver stays with the generation that it read first: once another one is seen
 * nothing is let through any more, and what has not started is given up.
 *
 * <p>Nothing is let through on a reading that is older than two intervals, because a process that
 * was stopped for a while must look before it claims; unless the store does not tell it, then the
 * claim itself shows whether it answers. A first reading is waited for, whatever happens: without
 * it nobody knows what the messages are called.
 */
final class GenerationWatch<M> implements StoreListener {

  private static final Logger LOG = LoggerFactory.getLogger(GenerationWatch.class);
  private static final String TROUBLE = "generation";
  private static final Duration LONGEST = Duration.ofSeconds(10);

  private enum State {
    UNKNOWN,
    KNOWN,
    MOVED
  }

  /** Something that waits, as long as it is wanted. */
  private record Held(BooleanSupplier wanted, Runnable action) {}

  private final Engine<M> engine;
  private final DedupStore store;
  private final String consumer;
  private final long intervalMillis;
  private final long freshNanos;
  private final Backoff backoff;
  private final AtomicBoolean looking = new AtomicBoolean();
  private final List<Held> waiting = new ArrayList<>();
  private final AtomicInteger failures = new AtomicInteger();
  private volatile State state = State.UNKNOWN;
  private volatile int generation;
  private volatile @Nullable String scope;
  private volatile long lookedAt;

  /** Looks every renew interval, or more often if that is long. */
  GenerationWatch(Engine<M> engine, DedupStore store, String consumer, Duration renewInterval) {
    Duration interval = renewInterval.compareTo(LONGEST) < 0 ? renewInterval : LONGEST;
    this.engine = engine;
    this.store = store;
    this.consumer = consumer;
    this.intervalMillis = Math.max(1, interval.toMillis());
    this.freshNanos = interval.multipliedBy(2).toNanos();
    this.backoff = Backoff.ofStoreCalls(engine.dice());
  }

  void start() {
    engine.threads().call(this::look);
  }

  /** Under what the receiver claims; empty until the generation is known. */
  Optional<String> scope() {
    return Optional.ofNullable(scope);
  }

  /** Whether a claim may be sent now. */
  boolean open() {
    return state == State.KNOWN && engine.nanos() - lookedAt <= freshNanos;
  }

  /**
   * Runs something on a caller's thread once claims may be sent; never, if the generation moves
   * before.
   *
   * @param wanted whether anybody still waits for it
   */
  void whenOpen(BooleanSupplier wanted, Runnable action) {
    synchronized (waiting) {
      if (state == State.MOVED) {
        return;
      }
      waiting.add(new Held(wanted, action));
    }
    if (open()) {
      letThrough();
    } else if (state == State.KNOWN) {
      engine.threads().call(this::lookNow);
    }
  }

  /** A generation may be among what is lost. */
  @Override
  public void onDataLost(StoreLoss loss) {
    engine.threads().call(this::lookNow);
  }

  /** On the schedule, which goes on whatever happens. */
  private void look() {
    try {
      lookNow();
    } finally {
      if (state != State.MOVED) {
        long pause = state == State.KNOWN
            ? intervalMillis
            : backoff.after(failures.get()).toMillis();
        engine.threads().callLater(this::look, pause);
      }
    }
  }

  /** One look at a time; who comes meanwhile is served by that one or by the next. */
  private void lookNow() {
    boolean closed = engine.threads().timer().isShutdown();
    if (closed || state == State.MOVED || !looking.compareAndSet(false, true)) {
      return;
    }
    long sent = engine.nanos();
    try {
      int found = GenerationLedger.look(store, consumer, generation);
      lookedAt = sent;
      found(found);
    } catch (RuntimeException | Error e) {
      if (!engine.threads().timer().isShutdown()) {
        failed(e);
      }
    } finally {
      looking.set(false);
    }
    letThrough();
  }

  private void found(int found) {
    failures.set(0);
    if (state == State.UNKNOWN) {
      generation = found;
      scope = new ConsumerScope(consumer, found).joined();
      state = State.KNOWN;
      engine.events().storeAnswered();
      engine.outage().answered();
      LOG.info("Consumer {} runs under generation {}", consumer, found);
    } else if (found != generation) {
      moved(found);
      return;
    }
    engine.events().clear(TROUBLE);
  }

  private void moved(int found) {
    synchronized (waiting) {
      state = State.MOVED;
      waiting.clear();
    }
    String detail = found > generation
        ? "generation of consumer " + consumer + " moved from " + generation + " to " + found
            + " while this receiver runs: restart it"
        : "generation of consumer " + consumer + " was " + generation + " and is " + found
            + ": the store has lost it; move it beyond " + generation
            + ", then restart this receiver";
    LOG.error("{}; it claims nothing any more", detail);
    engine.events().raise(TROUBLE, detail);
    engine.events().tell(it -> it.onGenerationMoved(generation, found));
    engine.abandonAll();
  }

  private void failed(Throwable error) {
    failures.incrementAndGet();
    if (state == State.UNKNOWN) {
      engine.events().storeFailed("read the generation", error);
      return;
    }
    LOG.debug("The generation of consumer {} could not be read", consumer, error);
    if (!open()) { // once is nothing
      String detail = "generation of consumer " + consumer + " could not be read: ";
      engine.events().raise(TROUBLE, detail + Descriptions.of(error));
    }
  }

  private void letThrough() {
    List<Held> ready;
    synchronized (waiting) {
      waiting.removeIf(it -> !it.wanted().getAsBoolean());
      ready = state == State.KNOWN ? List.copyOf(waiting) : List.of();
      waiting.removeAll(ready);
    }
    ready.forEach(it -> engine.threads().call(it.action()));
  }
}
