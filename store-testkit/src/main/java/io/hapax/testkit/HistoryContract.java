package io.hapax.testkit;

import org.junit.jupiter.api.Test;

/** The store and the machine, side by side. */
interface HistoryContract extends OnBench {

  @Test
  default void random_histories_go_as_the_machine_says() {
    RandomHistories.replay(bench().fixture(), RandomHistories.HISTORIES);
  }
}
