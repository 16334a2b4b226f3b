package io.hapax.simulation;

/** What stands between a broker and an engine in a process. */
interface Adapter {

  /** One round of its poll loop. */
  void poll();

  /** Whether the engine has nothing of it in its hands. */
  boolean idle();
}
