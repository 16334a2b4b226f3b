package io.hapax.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands between a client and its server, and cuts their connection when it is told to. */
final class Relay implements AutoCloseable {

  private final ServerSocket listener;
  private final int server;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile boolean gently;
  private final AtomicInteger replyCuts = new AtomicInteger();

  Relay(int server) {
    this.server = server;
    try {
      this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    start(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** The next command reaches the server; instead of its reply the connection is reset. */
  void resetInsteadOfReply() {
    gently = false;
    replyCuts.set(1);
  }

  /** The same, but the connection is closed in good order: a client may send its command again. */
  void closeInsteadOfReply() {
    gently = true;
    replyCuts.set(1);
  }

  /** Closes every connection in good order, whatever is under way on it. */
  void closeConnections() {
    gently = true;
    open.forEach(this::end);
  }

  boolean hasLostIt() {
    return replyCuts.get() == 0;
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        open.add(client);
        Socket upstream = new Socket(InetAddress.getLoopbackAddress(), server);
        open.add(upstream);
        start(() -> pump(client, upstream, false));
        start(() -> pump(upstream, client, true));
      } catch (IOException e) {
        // The server is down, or the relay closed: whoever connected finds out.
      }
    }
  }

  private void pump(Socket from, Socket to, boolean replies) {
    byte[] buffer = new byte[65_536];
    try {
      InputStream input = from.getInputStream();
      OutputStream output = to.getOutputStream();
      for (int length = input.read(buffer); length >= 0; length = input.read(buffer)) {
        if (replies && replyCuts.compareAndSet(1, 0)) {
          break;
        }
        output.write(buffer, 0, length);
      }
    } catch (IOException e) {
      // Either end is gone; so is the other.
    } finally {
      end(from);
      end(to);
    }
  }

  private void end(Socket socket) {
    open.remove(socket);
    try {
      if (!gently) {
        socket.setSoLinger(true, 0);
      }
      socket.close();
    } catch (IOException e) {
      // It is closed already.
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "relay");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    open.forEach(this::end);
  }
}
