package io.hapax.testkit;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Runs tasks of this JVM over a real connection. A request is the number of a task, and the reply
 * is that number twice; this is enough for every network fault.
 */
final class HeapServer implements AutoCloseable {

  static final int REPLY_BYTES = 16;

  private static final AtomicLong LAST = new AtomicLong();
  private static final Map<Long, Supplier<?>> TASKS = new ConcurrentHashMap<>();
  private static final Map<Long, Object> ANSWERS = new ConcurrentHashMap<>();

  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final ServerSocket listener;
  private final Thread accepting;

  HeapServer(int port) {
    try {
      listener = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    accepting = start(this::acceptAll);
  }

  static long ticket(Supplier<?> task) {
    long number = LAST.incrementAndGet();
    TASKS.put(number, task);
    return number;
  }

  static Object answer(long number) {
    TASKS.remove(number);
    return Optional.ofNullable(ANSWERS.remove(number)).orElseThrow();
  }

  int port() {
    return listener.getLocalPort();
  }

  private void acceptAll() {
    try {
      while (!listener.isClosed()) {
        Socket socket = listener.accept();
        open.add(socket);
        start(() -> serve(socket));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      while (!listener.isClosed()) {
        long number = in.readLong();
        ANSWERS.put(number, Optional.ofNullable(TASKS.get(number)).orElseThrow().get());
        ByteBuffer reply = ByteBuffer.allocate(REPLY_BYTES).putLong(number).putLong(number);
        socket.getOutputStream().write(reply.array());
      }
    } catch (IOException e) {
      // The client has left.
    }
  }

  private static Thread start(Runnable task) {
    Thread thread = new Thread(task, "heap-server");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** Waits for the accepting thread, which still holds the port. */
  @Override
  public void close() {
    try {
      listener.close();
      accepting.join();
      for (Socket socket : open) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while closing port " + port(), e);
    }
  }
}
