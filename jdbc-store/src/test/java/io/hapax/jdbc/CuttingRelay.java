package io.hapax.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Stands between a pool and its database, and when it is told to, cuts the connection that commits
 * next.
 */
final class CuttingRelay implements AutoCloseable {

  /** What happens to the next COMMIT. Its sender never gets an answer. */
  enum Cut {
    NONE,
    /** The server never sees it: it finds its client gone, and rolls back. */
    BEFORE_IT_ARRIVES,
    /** The server has committed. */
    AFTER_IT_ARRIVED,
    /** The server gets it when {@link #release()} is called. */
    WHILE_UNDER_WAY
  }

  private final ServerSocket listening;
  private final int port;
  private final String commit;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final AtomicReference<Cut> next = new AtomicReference<>(Cut.NONE);
  private final List<Runnable> held = new CopyOnWriteArrayList<>();

  private CuttingRelay(int port, String commit) {
    this.port = port;
    this.commit = commit;
    try {
      this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    threads.execute(this::accept);
  }

  /** READ COMMITTED is another text. */
  static CuttingRelay toPostgres(int port) {
    return new CuttingRelay(port, "COMMIT\0");
  }

  /** A packet's first byte says that a statement's text follows. */
  static CuttingRelay toMySql(int port) {
    return new CuttingRelay(port, "\3COMMIT");
  }

  int port() {
    return listening.getLocalPort();
  }

  /** Cuts the next connection that commits, and no other. */
  void cutNextCommit(Cut cut) {
    next.set(cut);
  }

  /** Lets the server see the COMMIT that was under way. */
  void release() {
    held.forEach(Runnable::run);
    held.clear();
  }

  private void accept() {
    try {
      while (!listening.isClosed()) {
        Socket client = listening.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
        sockets.addAll(List.of(client, server));
        AtomicReference<Cut> cut = new AtomicReference<>(Cut.NONE);
        threads.execute(() -> pump(client, server, bytes -> toServer(bytes, client, server, cut)));
        threads.execute(() -> pump(server, client, bytes -> {
          if (cut.get() == Cut.AFTER_IT_ARRIVED) {
            close(client, server);
          }
          return cut.get() == Cut.NONE;
        }));
      }
    } catch (IOException closed) {
      // Nobody connects any more.
    }
  }

  private boolean toServer(byte[] bytes, Socket client, Socket server, AtomicReference<Cut> cut)
      throws IOException {
    if (!new String(bytes, StandardCharsets.ISO_8859_1).contains(commit)) {
      return true;
    }
    Cut now = next.getAndSet(Cut.NONE);
    cut.set(now);
    switch (now) {
      case NONE, AFTER_IT_ARRIVED -> {
        return true;
      }
      case BEFORE_IT_ARRIVES -> close(client, server);
      case WHILE_UNDER_WAY -> {
        held.add(() -> send(bytes, server));
        client.close();
      }
    }
    return false;
  }

  private static void send(byte[] bytes, Socket to) {
    try {
      to.getOutputStream().write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private interface Passing {
    boolean passes(byte[] bytes) throws IOException;
  }

  private static void pump(Socket from, Socket to, Passing passing) {
    byte[] buffer = new byte[64 * 1024];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      int length = in.read(buffer);
      while (length >= 0) {
        byte[] bytes = java.util.Arrays.copyOf(buffer, length);
        if (passing.passes(bytes)) {
          out.write(bytes);
        }
        length = in.read(buffer);
      }
    } catch (IOException cut) {
      // One of both sides is gone.
    }
  }

  private static void close(Socket... sockets) {
    for (Socket socket : sockets) {
      try {
        socket.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public void close() {
    close(sockets.toArray(Socket[]::new));
    try {
      listening.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    threads.shutdownNow();
  }
}
