package io.hapax.spring.kafka;

import io.hapax.errors.DeferredException;
import io.hapax.errors.PartlyHandledException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.support.Acknowledgment;

/**
 * What a listener acknowledges to. It notes the call, and Hapax commits once the mark is done. A
 * message that was not acknowledged when its listener returns has failed.
 */
final class ListenerAcknowledgment implements Acknowledgment {

  private static final int NONE = -1;

  private final int messages;
  private int handled;
  private int refusedFrom = NONE;
  private @Nullable Duration deferredBy;
  private boolean returned;

  ListenerAcknowledgment(int messages) {
    this.messages = messages;
  }

  @Override
  public void acknowledge() {
    acknowledge(messages - 1);
  }

  @Override
  public synchronized void acknowledge(int index) {
    requireRunning();
    handled = Math.max(handled, index + 1);
  }

  @Override
  public void nack(Duration sleep) {
    nack(0, sleep);
  }

  @Override
  public synchronized void nack(int index, Duration sleep) {
    requireRunning();
    refusedFrom = index;
    deferredBy = sleep;
  }

  private void requireRunning() {
    if (returned) {
      throw new IllegalStateException("the listener has returned: acknowledge before it returns");
    }
  }

  /**
   * Ends the call of the listener.
   *
   * @param required whether the listener has to acknowledge
   * @throws DeferredException if the listener put off all messages
   * @throws PartlyHandledException if it put off or left out the last ones
   * @throws IllegalStateException if it acknowledged nothing
   */
  synchronized void finish(boolean required) {
    returned = true;
    if (refusedFrom != NONE && deferredBy != null) {
      throw partly(refusedFrom, new DeferredException(deferredBy));
    } else if (required && handled < messages) {
      throw partly(
          handled, new IllegalStateException("the listener returned without acknowledging"));
    }
  }

  private static RuntimeException partly(int done, RuntimeException rest) {
    return done == 0 ? rest : new PartlyHandledException(done, rest);
  }
}
