package io.hapax.internal.store;

import io.hapax.internal.report.Events;
import io.hapax.internal.runtime.Backoff;
import io.hapax.internal.runtime.Environment;
import io.hapax.internal.runtime.FailStop;
import io.hapax.mark.ConsumerScope;
import io.hapax.store.MarkAdmin;
import io.hapax.store.StoreListener;
import io.hapax.store.StoreLoss;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Reads the generation of the receiver's consumer before the first claim and at an interval after
 * it. The receiver keeps the generation that it read first. When another generation is found, no
 * claim is sent any more and messages that have not started are given up.
 *
 * <p>No claim is sent on a reading that is older than two intervals, because the process may have
 * been suspended meanwhile. There is one exception: a newer read has failed. Then the claim itself
 * shows whether the store answers. The first reading has no exception: without it the keys of the
 * messages are unknown.
 */
public final class GenerationWatch implements StoreListener {

  private static final Duration MAX_INTERVAL = Duration.ofSeconds(10);
  private static final long MAX_HANG_CHECK_MILLIS = 1000;

  private enum State {
    UNKNOWN,
    KNOWN,
    MOVED
  }

  private final Environment env;
  private final GenerationReports reports;
  private final MarkAdmin store;
  private final String consumer;
  private final long intervalMillis;
  private final long freshNanos;
  private final Backoff backoff;
  private final SingleFlightPoller poller;
  private final AtomicInteger failures = new AtomicInteger();
  private volatile State state = State.UNKNOWN;
  private volatile int generation;
  private volatile @Nullable String scope;
  private volatile long readAtNanos;
  private volatile Runnable whenKnown = () -> {};
  private volatile Runnable whenMoved = () -> {};

  /** Creates a watch that polls every renew interval, at least every ten seconds. */
  public GenerationWatch(
      MarkAdmin store, String consumer, Duration renewInterval, Environment env, Events events) {
    Duration interval = renewInterval.compareTo(MAX_INTERVAL) < 0 ? renewInterval : MAX_INTERVAL;
    this.env = env;
    this.reports = new GenerationReports(consumer, events);
    this.store = store;
    this.consumer = consumer;
    this.intervalMillis = Math.max(1, interval.toMillis());
    this.freshNanos = interval.multipliedBy(2).toNanos();
    this.backoff = Backoff.ofStoreCalls(env.random());
    this.poller =
        new SingleFlightPoller(env, this, Math.min(MAX_HANG_CHECK_MILLIS, 2 * intervalMillis));
  }

  /** Returns a check that the generation was read lately enough to send a call. */
  public Check check() {
    return new Check();
  }

  /** Starts the polls. The first action runs on a thread of its own, the second on the poll's. */
  public void start(Runnable whenKnown, Runnable whenMoved) {
    this.whenKnown = whenKnown;
    this.whenMoved = whenMoved;
    env.threads().call(this::pollOnSchedule);
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

  /** Polls on a caller's thread, also after a poll in flight, whose answer may be older. */
  private void pollSoon() {
    env.threads().call(poller::poll);
  }

  /** Polls, because the generation may be among the lost marks. */
  @Override
  public void onDataLost(StoreLoss loss) {
    pollSoon();
  }

  private void pollOnSchedule() {
    poller.poll();
    if (state != State.MOVED) {
      long pause =
          state == State.KNOWN ? intervalMillis : backoff.after(failures.get()).toMillis();
      env.threads().callLater(this::pollOnSchedule, pause);
    }
  }

  /** Returns whether a poll is still of use. */
  boolean wanted() {
    return state != State.MOVED && !env.threads().closed();
  }

  /** Sends the call to the store; returns what processes the answer after it. */
  Runnable send(long sent) {
    try {
      int found = GenerationLedger.read(store, consumer, generation);
      return () -> found(found, sent);
    } catch (Throwable e) { // a store in another language may throw any
      FailStop.throwIfOfTheProcess(e);
      return () -> failed(e);
    }
  }

  /** Reports that a poll is still in flight. The poll does not end while this method runs. */
  void hanging(long sent) {
    long nanos = env.nanos() - sent;
    if (nanos > freshNanos) {
      reports.hanging(Duration.ofNanos(nanos));
    }
  }

  private void found(int found, long sent) {
    failures.set(0);
    if (state == State.UNKNOWN) {
      readAtNanos = sent;
      generation = found;
      scope = new ConsumerScope(consumer, found).joined();
      state = State.KNOWN;
      reports.known(found);
      env.threads().call(whenKnown);
    } else if (found != generation) {
      moved(found);
      return;
    }
    readAtNanos = sent;
    reports.unchanged();
  }

  private void moved(int found) {
    state = State.MOVED;
    reports.moved(generation, found);
    whenMoved.run();
  }

  private void failed(Throwable error) {
    if (!wanted()) {
      return;
    }
    failures.incrementAndGet();
    if (state == State.UNKNOWN) {
      reports.failedFirst(error);
    } else {
      reports.failed(error, !open());
    }
  }

  /**
   * Checks that the generation was read lately, before a call is sent. If it was not, the check
   * requests one poll. If that poll fails, the call is sent all the same and shows whether the
   * store answers. Used by one thread at a time.
   */
  public final class Check {

    public static final Duration PAUSE = Duration.ofMillis(20);

    private boolean polling;
    private long pollingSinceNanos;

    /** Returns whether the call may be sent; if not, the caller checks again after the pause. */
    public boolean seen() {
      boolean seen = open() || (polling && poller.polledSince(pollingSinceNanos));
      if (!seen && !polling) {
        pollingSinceNanos = env.nanos();
        pollSoon();
      }
      polling = !seen;
      return seen;
    }
  }
}
