package io.hapax.demo.scene;

/** Whether a scene uses Hapax. */
public enum Variant {
  HAPAX,
  /** The consumer uses its technique alone, on the broker's own client. */
  NAIVE
}
