package io.hapax.testkit;

import io.hapax.store.DedupStore;

/** A part of the contract; its tests use the bench. */
interface OnBench {

  Bench bench();

  default DedupStore store() {
    return bench().store();
  }
}
