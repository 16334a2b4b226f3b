package io.hapax.testkit;

/** A part of the contract; it is given the bench that its tests work at. */
interface OnBench {

  Bench bench();
}
