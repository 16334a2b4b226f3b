package io.hapax.demo;

import io.hapax.Delivery;
import java.util.List;

/** Is called while orders take effect. Production does nothing; a run pauses consumers here. */
public interface OrderWatch {

  OrderWatch NONE = new OrderWatch() {};

  /** Called in the handler, before these deliveries take effect. */
  default void beforeEffects(List<? extends Delivery<?>> deliveries) throws InterruptedException {}

  /**
   * Called in the handler, when this number of orders has taken effect. In the transaction of the
   * marks the effects are not committed yet.
   */
  default void afterEffects(int count) throws InterruptedException {}
}
