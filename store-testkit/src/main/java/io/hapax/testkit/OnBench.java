package io.hapax.testkit;

/** A part of the contract; its tests use the bench. */
interface OnBench {

  Bench bench();
}
