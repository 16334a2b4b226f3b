package io.hapax.demo;

import java.io.IOException;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Random;

/** Something that befalls a consumer in mid-batch, and that it survives. */
interface Blow {

  /** What it is called: {@code store restart}. */
  String name();

  /** Starts the consumer that it will befall, and that is ready for it after so many effects. */
  default Child victim(Consumers consumers, long after) throws IOException {
    return consumers.start(after);
  }

  /**
   * Strikes, and returns when the consumer may go on.
   *
   * @return the effects that it may have left in doubt; empty if it cannot leave any
   */
  Optional<Disruption> under(Child child, Random random)
      throws IOException, SQLException, InterruptedException;
}
