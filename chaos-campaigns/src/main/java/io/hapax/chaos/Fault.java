package io.hapax.chaos;

import java.io.IOException;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Random;

/** A fault that is injected while a consumer works, and that the consumer survives. */
interface Fault {

  /** Returns the name: {@code store restart}. */
  String name();

  /**
   * Starts the consumer that the fault will hit, and that pauses after the given number of effects.
   */
  default ConsumerProcess startTarget(Consumers consumers, long after) throws IOException {
    return consumers.start(after);
  }

  /**
   * Injects the fault, and returns when the consumer may continue.
   *
   * @return the effects that may be in doubt; empty if the fault cannot leave any
   */
  Optional<Disruption> inject(ConsumerProcess child, Random random)
      throws IOException, SQLException, InterruptedException;
}
