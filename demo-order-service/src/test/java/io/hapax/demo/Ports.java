package io.hapax.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;

/** Ports of the loopback interface. */
final class Ports {

  private Ports() {}

  /** Returns a port that was free a moment ago. */
  static int free() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

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
