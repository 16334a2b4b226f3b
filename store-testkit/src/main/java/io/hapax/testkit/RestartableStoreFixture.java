package io.hapax.testkit;

/** A store with a server of its own, configured so that answered writes survive a kill. */
public interface RestartableStoreFixture extends StoreFixture {

  /** Kills the server (SIGKILL); returns when the process has ended. */
  void killServer();

  /** Starts the server again at the same address with the same data; returns when it answers. */
  void restartServer();
}
