package io.hapax.internal.store;

import io.hapax.health.Problem.Kind;
import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.Backoff;
import io.hapax.internal.runtime.Descriptions;
import io.hapax.internal.runtime.Environment;
import io.hapax.internal.runtime.FailStop;
import io.hapax.mark.ConsumerScope;
import io.hapax.store.MarkAdmin;
import io.hapax.store.StoreListener;
import io.hapax.store.StoreLoss;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the generation of the receiver's consumer before the first claim and at an interval after
 * it. The receiver keeps the generation that it read first. When another generation is found, no
 * claim is sent any more and messages that have not started are given up.
 *
 * <p>No claim is sent on a reading that is older than two intervals, because the process may have
 * been suspended meanwhile. There is one exception: a newer read has failed. Then the claim itself
 * shows whether the store answers. The first reading has no exception: without it the keys of the
 * messages are unknown.
 *
 * <p>One poll is in flight at a time. A request during a poll starts another poll after it.
 */
public final class GenerationWatch implements StoreListener {

  private static final Logger LOG = LoggerFactory.getLogger(GenerationWatch.class);
  private static final long MAX_INTERVAL_MILLIS = 10_000;

  private enum State {
    UNKNOWN,
    KNOWN,
    MOVED
  }

  private final Environment env;
  private final Events events;
  private final MarkAdmin store;
  private final String consumer;
  private final Duration interval;
  private final long freshNanos;
  private final Backoff backoff;
  private final AtomicBoolean polling = new AtomicBoolean();
  private final AtomicBoolean again = new AtomicBoolean();
  private final AtomicInteger failures = new AtomicInteger();
  private volatile State state = State.UNKNOWN;
  private volatile int generation;
  private volatile @Nullable String scope;
  private volatile long readAtNanos;
  private volatile boolean polled;

  /** The start of the latest poll that has ended, whatever its result. */
  private volatile long polledNanos;

  private volatile Runnable whenKnown = () -> {};
  private volatile Runnable whenMoved = () -> {};

  /** The start of the poll in flight. The lock of this guards it. */
  private OptionalLong inFlight = OptionalLong.empty();

  /** Creates a watch that polls every renew interval, at least every ten seconds. */
  public GenerationWatch(
      MarkAdmin store, String consumer, Duration renewInterval, Environment env, Events events) {
    this.env = env;
    this.events = events;
    this.store = store;
    this.consumer = consumer;
    long millis = Math.min(renewInterval.toMillis(), MAX_INTERVAL_MILLIS);
    this.interval = Duration.ofMillis(Math.max(1, millis));
    this.freshNanos = interval.multipliedBy(2).toNanos();
    this.backoff = Backoff.ofStoreCalls(env.random());
  }

  public Check check() {
    return new Check();
  }

  /** Starts the polls. The first action runs on a thread of its own, the second on the poll's. */
  public void start(Runnable whenKnown, Runnable whenMoved) {
    this.whenKnown = whenKnown;
    this.whenMoved = whenMoved;
    env.call(this::pollOnSchedule);
  }

  /** Returns the scope of the receiver's claims; empty until the generation is known. */
  public Optional<String> scope() {
    return Optional.ofNullable(scope);
  }

  /** Returns whether the generation was read lately enough to send a claim. */
  public boolean open() {
    return state == State.KNOWN && env.nanos() - readAtNanos <= freshNanos;
  }

  /** Returns whether the generation has changed; then nothing is claimed any more. */
  public boolean moved() {
    return state == State.MOVED;
  }

  /** Polls, because the generation may be among the lost marks. */
  @Override
  public void onDataLost(StoreLoss loss) {
    pollSoon();
  }

  /** Polls on a caller's thread, also after a poll in flight, whose answer may be older. */
  private void pollSoon() {
    env.call(this::poll);
  }

  private void pollOnSchedule() {
    poll();
    if (state != State.MOVED) {
      Duration pause = state == State.KNOWN ? interval : backoff.after(failures.get());
      env.callLater(this::pollOnSchedule, pause);
    }
  }

  /** Polls on this thread; if another thread polls, requests another poll from that thread. */
  private void poll() {
    again.set(true);
    while (again.get() && wanted() && polling.compareAndSet(false, true)) {
      again.set(false);
      pollOnce();
      polling.set(false);
    }
  }

  private boolean wanted() {
    return state != State.MOVED && !env.closed();
  }

  private void pollOnce() {
    long sent = env.nanos();
    setInFlight(OptionalLong.of(sent));
    Runnable answer = send(sent);
    setInFlight(OptionalLong.empty()); // first: then it is not reported as hanging any more
    answer.run();
    polledNanos = sent;
    polled = true;
  }

  /** Sends the call to the store; returns what processes the answer after it. */
  private Runnable send(long sent) {
    try {
      int found = GenerationLedger.read(store, consumer, generation);
      return () -> found(found, sent);
    } catch (Throwable e) { // a store in another language may throw any
      FailStop.throwIfOfTheProcess(e);
      return () -> failed(e);
    }
  }

  private synchronized void setInFlight(OptionalLong sent) {
    inFlight = sent;
  }

  /** Raises the problem of a poll that takes too long; the poll does not end while this runs. */
  public synchronized void raiseIfHanging() {
    long nanos = inFlight.isEmpty() ? 0 : env.nanos() - inFlight.getAsLong();
    if (nanos > freshNanos && !env.closed()) {
      unreadable("no answer yet after " + Duration.ofNanos(nanos));
    }
  }

  private void unreadable(String reason) {
    events.raise(
        Kind.GENERATION, "generation of consumer " + consumer + " could not be read: " + reason);
  }

  private void found(int found, long sent) {
    failures.set(0);
    if (state == State.UNKNOWN) {
      readAtNanos = sent;
      generation = found;
      scope = new ConsumerScope(consumer, found).joined();
      state = State.KNOWN;
      events.storeAnswered();
      LOG.info("Consumer {} runs under generation {}", consumer, found);
      env.call(whenKnown);
    } else if (found != generation) {
      moved(found);
      return;
    }
    readAtNanos = sent;
    events.clear(Kind.GENERATION);
  }

  private void moved(int found) {
    state = State.MOVED;
    String detail = found > generation
        ? "generation of consumer " + consumer + " moved from " + generation + " to " + found
            + " while this receiver runs: restart it"
        : "generation of consumer " + consumer + " was " + generation + " and is " + found
            + ": the store has lost it; move it beyond " + generation
            + ", then restart this receiver";
    LOG.error("{}; it claims nothing any more", detail);
    events.raise(Kind.GENERATION, detail);
    events.notifyListeners(it -> it.onGenerationMoved(generation, found));
    whenMoved.run();
  }

  /** Reports a failed read. One after which claims are still sent is no problem. */
  private void failed(Throwable error) {
    if (!wanted()) {
      return;
    }
    failures.incrementAndGet();
    if (state == State.UNKNOWN) {
      events.storeFailed("read the generation", error);
      return;
    }
    LOG.debug(
        "The generation of consumer {} could not be read", consumer, Descriptions.loggable(error));
    if (!open()) {
      unreadable(Descriptions.of(error));
    }
  }

  /**
   * Checks that the generation was read lately, before a call is sent. If it was not, the check
   * requests one poll. If that poll fails, the call is sent all the same and shows whether the
   * store answers. Used by one thread at a time.
   */
  public final class Check {

    public static final Duration PAUSE = Duration.ofMillis(20);

    private boolean requested;
    private long requestedNanos;

    /** Returns whether the call may be sent; if not, the caller checks again after the pause. */
    public boolean seen() {
      boolean seen = open() || (requested && polled && polledNanos - requestedNanos >= 0);
      if (!seen && !requested) {
        requestedNanos = env.nanos();
        pollSoon();
      } else if (!seen) {
        raiseIfHanging();
      }
      requested = !seen;
      return seen;
    }
  }
}
