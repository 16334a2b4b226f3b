package io.hapax.servers;

/** Gives out ports for servers that tests start by themselves. */
public final class ServerPorts {

  private ServerPorts() {}

  /**
   * Returns a free port of the loopback address. No local server of this user gets it until this
   * JVM has ended, also not while the server that the port is for restarts.
   *
   * @return the port
   * @throws LocalServerException if no port is free
   */
  public static int reserve() {
    return Loopback.freePort();
  }
}
