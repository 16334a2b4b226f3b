package io.hapax.rocketmq;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Where a name server was: something takes each connection, and closes it without an answer. */
final class DeadNameServer implements AutoCloseable {

  private final ServerSocket socket;

  DeadNameServer() throws IOException {
    socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread thread = new Thread(this::hangUp, "dead-name-server");
    thread.setDaemon(true);
    thread.start();
  }

  private void hangUp() {
    while (!socket.isClosed()) {
      try {
        socket.accept().close();
      } catch (IOException e) {
        return; // it was closed itself
      }
    }
  }

  String address() {
    return "127.0.0.1:" + socket.getLocalPort();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
