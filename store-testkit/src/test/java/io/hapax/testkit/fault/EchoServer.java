package io.hapax.testkit.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;

/** Returns what it receives, and remembers it. */
final class EchoServer implements AutoCloseable {

  final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
  private final List<Socket> accepted = new CopyOnWriteArrayList<>();
  private final ServerSocket listener;

  EchoServer() {
    try {
      listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    start(this::acceptAll);
  }

  int port() {
    return listener.getLocalPort();
  }

  private void acceptAll() {
    try {
      while (!listener.isClosed()) {
        Socket socket = listener.accept();
        accepted.add(socket);
        start(() -> echo(socket));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void echo(Socket socket) {
    byte[] buffer = new byte[1024];
    try (socket) {
      for (int length = socket.getInputStream().read(buffer);
          length >= 0;
          length = socket.getInputStream().read(buffer)) {
        heard.add(new String(buffer, 0, length, StandardCharsets.US_ASCII));
        socket.getOutputStream().write(buffer, 0, length);
      }
      heard.add("end");
    } catch (IOException e) {
      heard.add("broken");
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "echo");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : accepted) {
      socket.close();
    }
  }
}
