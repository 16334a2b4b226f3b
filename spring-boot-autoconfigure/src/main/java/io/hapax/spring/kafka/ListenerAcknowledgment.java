package io.hapax.spring.kafka;

import io.hapax.errors.DeferredException;
import io.hapax.errors.PartlyHandledException;
import io.hapax.errors.RejectedMessageException;
import java.time.Duration;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.support.Acknowledgment;

/** A message that was not acknowledged when its listener returns has failed. */
final class ListenerAcknowledgment implements Acknowledgment {

  private static final int NONE = -1;

  private final int messages;
  private final IntUnaryOperator before;
  private int handled;
  private int refusedFrom = NONE;
  private @Nullable Duration deferredBy;
  private boolean returned;

  ListenerAcknowledgment(int messages, IntUnaryOperator before) {
    this.messages = messages;
    this.before = before;
  }

  static ListenerAcknowledgment ofOne() {
    return new ListenerAcknowledgment(1, IntUnaryOperator.identity());
  }

  @Override
  public synchronized void acknowledge() {
    requireRunning();
    handled = messages;
  }

  @Override
  public synchronized void acknowledge(int index) {
    requireRunning();
    handled = Math.max(handled, before.applyAsInt(index + 1));
  }

  @Override
  public void nack(Duration sleep) {
    refuse(0, sleep);
  }

  @Override
  public void nack(int index, Duration sleep) {
    refuse(before.applyAsInt(index), sleep);
  }

  /** Is asked if the listener has returned a future, also if its declared type does not show it. */
  @Override
  public boolean isOutOfOrderCommit() {
    throw new RejectedMessageException("the listener returned before its work is done: return void"
        + " or a plain value, and wait for the result inside the method");
  }

  private synchronized void refuse(int from, Duration sleep) {
    requireRunning();
    refusedFrom = from;
    deferredBy = sleep;
  }

  private void requireRunning() {
    if (returned) {
      throw new IllegalStateException("the listener has returned: acknowledge before it returns");
    }
  }

  /** Throws if the listener put off or left out messages, or acknowledged nothing but must. */
  synchronized void finish(boolean required) {
    returned = true;
    if (refusedFrom != NONE && deferredBy != null) {
      throw partly(refusedFrom, new DeferredException(deferredBy));
    } else if (required && handled < messages) {
      throw partly(
          handled, new IllegalStateException("the listener returned without acknowledging"));
    }
  }

  synchronized Exception failed(Exception failure) {
    returned = true;
    boolean partly =
        handled > 0 && handled < messages && !(failure instanceof PartlyHandledException);
    return partly ? new PartlyHandledException(handled, failure) : failure;
  }

  private static RuntimeException partly(int done, RuntimeException rest) {
    return done == 0 ? rest : new PartlyHandledException(done, rest);
  }
}
