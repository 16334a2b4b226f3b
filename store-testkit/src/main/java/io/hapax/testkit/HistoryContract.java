package io.hapax.testkit;

import org.junit.jupiter.api.Test;

/** Random histories on the store and on the machine. */
interface HistoryContract extends Bench {

  /**
   * Returns the number of histories: the system property {@code hapax.histories}, or 300. A fixture
   * that differs only in the connection to its store needs fewer.
   *
   * @return the number
   */
  default int histories() {
    return Integer.getInteger("hapax.histories", 300);
  }

  @Test
  default void random_histories_equal_those_of_the_machine() {
    RandomHistory.replay(fixture(), histories());
  }
}
