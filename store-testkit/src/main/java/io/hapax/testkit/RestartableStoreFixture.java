package io.hapax.testkit;

/** A store that has a server to itself, set up so that it forgets nothing that it answered. */
public interface RestartableStoreFixture extends StoreFixture {

  /** Kills the server without a warning (SIGKILL); returns when it is gone. */
  void killServer();

  /** Starts the server again on the same data, at the same place; returns when it answers. */
  void restartServer();
}
