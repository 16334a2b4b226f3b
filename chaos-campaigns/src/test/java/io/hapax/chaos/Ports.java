package io.hapax.chaos;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;

/** Ports of the loopback interface. */
final class Ports {

  private Ports() {}

  /**
   * Listens in place of a server until a client has connected.
   *
   * @param address of the server, with its port
   * @param timeout how long to wait for the client
   */
  static void hangUpOnTheFirst(String address, Duration timeout) throws IOException {
    int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      socket.setSoTimeout((int) timeout.toMillis());
      socket.accept().close();
    }
  }
}
