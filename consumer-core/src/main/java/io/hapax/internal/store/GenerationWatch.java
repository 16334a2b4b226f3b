package io.hapax.internal.store;

import io.hapax.health.Problem;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.Backoff;
import io.hapax.internal.runtime.Descriptions;
import io.hapax.internal.runtime.Environment;
import io.hapax.mark.ConsumerScope;
import io.hapax.store.DedupStore;
import io.hapax.store.StoreListener;
import io.hapax.store.StoreLoss;
import java.time.Duration;
import java.util.Optional;
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
 * claim itself shows whether it answers, or nobody waits for the store any more. A first reading is
 * waited for, whatever happens: without it nobody knows what the messages are called.
 */
public final class GenerationWatch implements StoreListener, SingleFlightPoller.Subject {

  private static final Logger LOG = LoggerFactory.getLogger(GenerationWatch.class);
  private static final Duration LONGEST = Duration.ofSeconds(10);
  private static final long MOST_BETWEEN_GLANCES_MILLIS = 1000;

  private enum State {
    UNKNOWN,
    KNOWN,
    MOVED
  }

  private final Environment env;
  private final Events events;
  private final OutageDetector outage;
  private volatile Runnable whenMoved = () -> {};
  private final DedupStore store;
  private final String consumer;
  private final long intervalMillis;
  private final long freshNanos;
  private final Backoff backoff;
  private final SingleFlightPoller looks;
  private final HeldBackActions heldBack = new HeldBackActions();
  private final AtomicInteger failures = new AtomicInteger();
  private volatile State state = State.UNKNOWN;
  private volatile int generation;
  private volatile @Nullable String scope;
  private volatile long lookedAt;

  /** Allocated once, so that the schedule goes on where memory is used up. */
  private final Runnable look = this::look;

  /** Looks every renew interval, or more often if that is long. */
  public GenerationWatch(
      DedupStore store,
      String consumer,
      Duration renewInterval,
      Environment env,
      Events events,
      OutageDetector outage) {
    Duration interval = renewInterval.compareTo(LONGEST) < 0 ? renewInterval : LONGEST;
    this.env = env;
    this.events = events;
    this.outage = outage;
    this.store = store;
    this.consumer = consumer;
    this.intervalMillis = Math.max(1, interval.toMillis());
    this.freshNanos = interval.multipliedBy(2).toNanos();
    this.backoff = Backoff.ofStoreCalls(env.random());
    this.looks = new SingleFlightPoller(
        env, this, Math.min(MOST_BETWEEN_GLANCES_MILLIS, 2 * intervalMillis));
  }

  /** Has an action run once the generation has moved. */
  public void whenMoved(Runnable action) {
    whenMoved = action;
  }

  /** Returns a check that what is sent now belongs to a generation that was read lately. */
  public GenerationCheck check() {
    return new GenerationCheck(this, env.ticker());
  }

  public void start() {
    env.threads().call(look);
  }

  /** Under what the receiver claims; empty until the generation is known. */
  public Optional<String> scope() {
    return Optional.ofNullable(scope);
  }

  /** Whether a claim may be sent now. */
  public boolean open() {
    return state == State.KNOWN && env.nanos() - lookedAt <= freshNanos;
  }

  /** Whether it is another one now: then nothing is claimed any more. */
  public boolean moved() {
    return state == State.MOVED;
  }

  /** Whether a look that began after that moment has ended, whatever it saw. */
  boolean lookedSince(long nanos) {
    return looks.since(nanos);
  }

  /** Looks on a caller's thread; also if a look is under way that may have seen what was before. */
  void lookSoon() {
    env.threads().call(looks::now);
  }

  /**
   * Runs something on a caller's thread once claims may be sent, or nobody waits for the store any
   * more; never, if the generation moves before.
   *
   * @param wanted whether anybody still waits for it
   */
  public void whenOpen(BooleanSupplier wanted, Runnable action) {
    heldBack.add(wanted, action, env.nanos());
    if (letThrough() && state == State.KNOWN) {
      lookSoon();
    }
  }

  /** A generation may be among what is lost. */
  @Override
  public void onDataLost(StoreLoss loss) {
    lookSoon();
  }

  /** On the schedule, which goes on whatever happens. */
  private void look() {
    try {
      looks.now();
    } finally {
      if (state != State.MOVED) {
        long pause = state == State.KNOWN
            ? intervalMillis
            : backoff.after(failures.get()).toMillis();
        env.threads().callLater(look, pause);
      }
    }
  }

  /** Only while the generation may still be another one, and anybody is there to know it. */
  @Override
  public boolean wanted() {
    return state != State.MOVED && !env.threads().timer().isShutdown();
  }

  @Override
  public Runnable ask(long sent) {
    try {
      int found = GenerationLedger.look(store, consumer, generation);
      return () -> take(found, sent);
    } catch (RuntimeException | Error e) {
      return () -> failed(e, sent);
    }
  }

  private void take(int found, long sent) {
    try {
      found(found, sent);
    } catch (RuntimeException | Error e) {
      failed(e, sent);
    }
  }

  /** For those who came after the look had begun. */
  @Override
  public boolean another() {
    return letThrough() && state == State.KNOWN;
  }

  /** Nobody else lets anything through meanwhile. */
  @Override
  public void waiting(long sent) {
    long nanos = env.nanos() - sent;
    if (nanos > freshNanos) {
      String detail = "generation of consumer " + consumer + " could not be read: ";
      events.raise(
          Problem.Kind.GENERATION, detail + "no answer yet after " + Duration.ofNanos(nanos));
    }
    var unused = letThrough();
  }

  private void found(int found, long sent) {
    failures.set(0);
    if (state == State.UNKNOWN) {
      lookedAt = sent;
      generation = found;
      scope = new ConsumerScope(consumer, found).joined();
      outage.claimsMayBegin(); // before anything passes
      state = State.KNOWN;
      events.storeAnswered();
      LOG.info("Consumer {} runs under generation {}", consumer, found);
    } else if (found != generation) {
      moved(found);
      return;
    }
    lookedAt = sent;
    events.clear(Problem.Kind.GENERATION);
  }

  private void moved(int found) {
    state = State.MOVED;
    heldBack.close();
    String detail = found > generation
        ? "generation of consumer " + consumer + " moved from " + generation + " to " + found
            + " while this receiver runs: restart it"
        : "generation of consumer " + consumer + " was " + generation + " and is " + found
            + ": the store has lost it; move it beyond " + generation
            + ", then restart this receiver";
    LOG.error("{}; it claims nothing any more", detail);
    events.raise(Problem.Kind.GENERATION, detail);
    events.tell(it -> it.onGenerationMoved(generation, found));
    whenMoved.run();
  }

  private void failed(Throwable error, long sent) {
    if (!wanted()) {
      return;
    }
    failures.incrementAndGet();
    outage.failed(sent);
    if (state == State.UNKNOWN) {
      events.storeFailed("read the generation", error);
      return;
    }
    LOG.debug("The generation of consumer {} could not be read", consumer, error);
    if (!open()) { // once is nothing
      String detail = "generation of consumer " + consumer + " could not be read: ";
      events.raise(Problem.Kind.GENERATION, detail + Descriptions.of(error));
    }
  }

  /** Lets through what may pass; whether anything is left that waits. */
  private boolean letThrough() {
    heldBack.release(this::mayPass, env.threads()::call);
    return !heldBack.isEmpty();
  }

  private boolean mayPass(long heldSince) {
    return state == State.KNOWN && (open() || lookedSince(heldSince) || outage.over());
  }
}
