package io.hapax.jdbc;

import io.hapax.mark.MarkState;
import java.util.List;

/**
 * The number of removed marks.
 *
 * @param done DONE marks whose retention had passed
 * @param open PROCESSING and RETRY marks whose open retention had passed
 * @param dead DEAD marks whose open retention had passed
 */
record Purged(int done, int open, int dead) {

  static final Purged NONE = new Purged(0, 0, 0);

  /** Counts the states of removed marks. */
  static Purged of(List<Integer> codes) {
    int done = 0;
    int dead = 0;
    for (int code : codes) {
      done += Column.state(code) == MarkState.DONE ? 1 : 0;
      dead += Column.state(code) == MarkState.DEAD ? 1 : 0;
    }
    return new Purged(done, codes.size() - done - dead, dead);
  }

  Purged plus(Purged other) {
    return new Purged(done + other.done, open + other.open, dead + other.dead);
  }

  int all() {
    return done + forgotten();
  }

  /** Returns the number of messages that are forgotten although they were never done. */
  int forgotten() {
    return open + dead;
  }
}
