package io.hapax.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Gives out ports on the loopback address. Servers listen only there, whatever address this JVM
 * prefers.
 */
public final class Loopback {

  static final String HOST = "127.0.0.1";

  private static final InetAddress ADDRESS = address();
  private static final int LOWEST = 12_000;
  private static final int HIGHEST = 30_000;
  private static final int TRIES = 1_000;
  private static final ReservedPorts RESERVED = ReservedPorts.ofThisUser();

  private Loopback() {}

  /**
   * Returns a free port. No JVM of this user gets it again until this one has ended.
   *
   * <p>The port is below the range from which Linux and macOS take the ports of outgoing
   * connections. A client could take a port of that range while its server is down, even by an
   * attempt to reach the server, and so connect to itself.
   *
   * @throws LocalServerException if there is none, or ports cannot be reserved
   */
  public static int freePort() {
    return freePort(0);
  }

  /**
   * Returns a free port for a server that also listens at a port that is higher by the given
   * number; both are free.
   */
  static int freePort(int higher) {
    for (int i = 0; i < TRIES; i++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST - higher);
      if (take(port) && (higher == 0 || take(port + higher))) {
        return port;
      }
    }
    throw new LocalServerException("found no free port between " + LOWEST + " and " + HIGHEST);
  }

  private static boolean take(int port) {
    return RESERVED.reserve(port) && isFree(port);
  }

  /** Connects. The caller closes the connection. */
  static Socket connect(int port) throws IOException {
    return new Socket(ADDRESS, port);
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, ADDRESS)) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  private static InetAddress address() {
    try {
      return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    } catch (UnknownHostException e) {
      throw new AssertionError("four bytes are an address", e);
    }
  }
}
