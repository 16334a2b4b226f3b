package io.hapax.testkit;

import org.junit.jupiter.api.Test;

/** The store and the machine, side by side. */
interface HistoryContract extends OnBench {

  /**
   * How many histories are replayed; fewer for what differs only in its way to a store that replays
   * all of them.
   *
   * @return their number
   */
  default int histories() {
    return 300;
  }

  @Test
  default void random_histories_go_as_the_machine_says() {
    RandomHistories.replay(bench().fixture(), histories());
  }
}
