package io.hapax.spring;

import io.hapax.Delivery;
import java.util.List;
import java.util.Optional;

/**
 * The attempt that runs on this thread, for a listener that needs its idempotency key or fencing
 * token:
 *
 * <pre>{@code
 * String key = CurrentDelivery.get().orElseThrow().idempotencyKey();
 * }</pre>
 */
public final class CurrentDelivery {

  private static final ThreadLocal<List<? extends Delivery<?>>> CURRENT = new ThreadLocal<>();

  private CurrentDelivery() {}

  /**
   * {@return the delivery of the message that the listener handles on this thread; empty outside a
   * listener or request handler, and for several messages}
   */
  public static Optional<Delivery<?>> get() {
    List<Delivery<?>> all = all();
    return all.size() == 1 ? Optional.of(all.get(0)) : Optional.empty();
  }

  /**
   * {@return the deliveries of the messages that the listener handles on this thread, in the order
   * of the messages; empty outside a listener}
   */
  public static List<Delivery<?>> all() {
    List<? extends Delivery<?>> current = CURRENT.get();
    return current == null ? List.of() : List.copyOf(current);
  }

  /**
   * Runs a listener's code with its deliveries; for the integrations of Hapax.
   *
   * @param deliveries the messages of this call
   * @param code calls the listener
   * @throws Exception what the code throws
   */
  public static void during(List<? extends Delivery<?>> deliveries, Code code) throws Exception {
    CURRENT.set(deliveries);
    try {
      code.run();
    } finally {
      CURRENT.remove();
    }
  }

  /** Calls a listener. */
  @FunctionalInterface
  public interface Code {

    /**
     * Calls it.
     *
     * @throws Exception what the listener throws
     */
    void run() throws Exception;
  }
}
