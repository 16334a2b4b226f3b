package io.hapax.jdbc;

import io.hapax.mark.MarkState;
import java.util.List;

/**
 * How many marks were removed.
 *
 * @param done DONE marks whose retention was over
 * @param open PROCESSING and RETRY marks that nobody had touched for long
 * @param dead DEAD marks that nobody had resolved for long
 */
record Purged(int done, int open, int dead) {

  static final Purged NONE = new Purged(0, 0, 0);

  /** Counts the states that were removed. */
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

  /** Messages that are forgotten although they were never done. */
  int forgotten() {
    return open + dead;
  }
}
