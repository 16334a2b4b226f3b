package io.hapax.console.trial;

/** The two sides of a demo. Each reads all orders. */
public enum TrialLane {
  /** The consumers with Hapax. */
  HAPAX,
  /** The consumer without Hapax: a plain loop. */
  LOOP
}
