package io.hapax.chaos;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/**
 * Runs consumers that read the topic of a run to its end. No consumer runs before or after a pass.
 */
interface Passes {

  /** Publishes the messages and consumes all of them, while the faults of the run are injected. */
  void first(List<Posting> postings) throws IOException, SQLException, InterruptedException;

  /** Consumes the topic again. The offsets of the group have been reset to the beginning. */
  void replay(int number, int messages) throws IOException, SQLException, InterruptedException;
}
