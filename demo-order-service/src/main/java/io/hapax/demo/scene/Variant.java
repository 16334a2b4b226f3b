package io.hapax.demo.scene;

/** Whether a scene uses Hapax. */
public enum Variant {
  /** The consumer runs on Hapax. */
  HAPAX,
  /** The consumer uses its technique alone, on the broker's own client. */
  NAIVE
}
