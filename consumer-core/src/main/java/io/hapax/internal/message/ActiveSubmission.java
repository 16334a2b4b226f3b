package io.hapax.internal.message;

import io.hapax.adapter.Outcome;
import io.hapax.adapter.OutcomeSink;
import io.hapax.adapter.Submission;
import io.hapax.internal.runtime.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Tracks the messages of one submission until each has its outcome. */
public final class ActiveSubmission<M> implements Submission {

  final Outcomes<M> outcomes;
  final OutcomeSink sink;
  final Ticker ticker;
  private final CountDownLatch open;
  private final long handedInNanos;
  private volatile List<InFlightMessage<M>> items = List.of();
  private volatile boolean abandoned;
  private volatile OptionalLong endingSince = OptionalLong.empty();
  private volatile boolean broken;
  private volatile boolean here;

  public ActiveSubmission(Outcomes<M> outcomes, OutcomeSink sink, int size, Ticker ticker) {
    this.outcomes = outcomes;
    this.sink = sink;
    this.open = new CountDownLatch(size);
    this.ticker = ticker;
    this.handedInNanos = ticker.nanos();
  }

  /** Reads and begins it on the thread of who handed it in, which must not wait for the store. */
  public void here(Runnable work) {
    here = true;
    try {
      work.run();
    } finally {
      here = false;
    }
  }

  /** Returns whether the submitting thread starts it, so that another thread calls the store. */
  public boolean isHere() {
    return here;
  }

  public void items(List<InFlightMessage<M>> read) {
    items = read;
  }

  public List<InFlightMessage<M>> items() {
    return items;
  }

  Duration age(long nowNanos) {
    return Duration.ofNanos(Math.max(0, nowNanos - handedInNanos));
  }

  public boolean abandoned() {
    return abandoned;
  }

  /** Returns whether an unexpected exception has deferred one of its messages. */
  public boolean broken() {
    return broken;
  }

  /** Records the outcome of one message; returns true for the last one. */
  boolean countDown(Outcome outcome) {
    broken |=
        outcome instanceof Outcome.Deferred it && it.reason() == Outcome.Reason.INTERNAL_ERROR;
    open.countDown();
    return over();
  }

  /** Returns whether each of its messages has its outcome. */
  public boolean over() {
    return open.getCount() == 0;
  }

  @Override
  public void abandon() {
    endingSince = OptionalLong.of(ticker.nanos());
    giveUp();
  }

  /** Gives up messages that have not started, without the start of a drain. */
  public void giveUp() {
    abandoned = true;
    outcomes.giveUp(items, Deferrals.ABANDONED);
  }

  /**
   * Returns when its caller last abandoned it, which starts the drain timeout; now if it never did.
   * A receiver that is closed after its adapter does not wait for the same handlers again.
   */
  long drainingSince() {
    return endingSince.orElseGet(ticker::nanos);
  }

  @Override
  public void awaitOrAbandon(Duration patience) throws InterruptedException {
    try {
      if (!await(patience)) {
        giveUp();
        await(Duration.ofNanos(Long.MAX_VALUE));
      }
    } catch (InterruptedException e) {
      giveUp();
      throw e;
    }
  }

  @Override
  public boolean await(Duration atMost) throws InterruptedException {
    return open.await(TimeUnit.NANOSECONDS.convert(atMost), TimeUnit.NANOSECONDS);
  }
}
