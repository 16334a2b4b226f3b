package io.hapax.testkit.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Stands between clients and a server of this machine, and does to their connections what networks
 * do: at a port of its own, the same as long as it lives. Without an order it passes everything on.
 * A connection ends for both sides as soon as one of them ends it.
 *
 * <p>All methods may be called from any thread. It uses two threads for each connection, and what
 * it passes on it passes on at once: it is made for faults, not for load.
 */
public final class FaultProxy implements AutoCloseable {

  private static final int BACKLOG = 128;

  private final InetSocketAddress server;
  private final InetSocketAddress here;
  private final Gate gate = new Gate();
  private final Orders orders = new Orders();
  private final Set<Line> lines = ConcurrentHashMap.newKeySet();
  private ServerSocket listener;
  private Thread accepting;
  private Socket refusing = new Socket();
  private volatile boolean closed;

  private FaultProxy(InetSocketAddress server) {
    this.server = server;
    this.listener = listen(new InetSocketAddress(server.getAddress(), 0));
    this.here = new InetSocketAddress(server.getAddress(), listener.getLocalPort());
    ServerSocket first = listener;
    this.accepting = start(() -> acceptAll(first));
  }

  /**
   * Opens a proxy before a server.
   *
   * @param port where the server listens, or is going to listen, on the loopback interface
   * @return the proxy
   */
  public static FaultProxy before(int port) {
    return new FaultProxy(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  /**
   * Where clients find the server.
   *
   * @return the port on the loopback interface
   */
  public int port() {
    return here.getPort();
  }

  /**
   * Orders a fault, in place of one that has not struck yet, and begins to count commands and
   * replies anew.
   *
   * @param fault what is to happen
   */
  public void next(Fault fault) {
    orders.order(fault);
  }

  /** Takes back a fault that has not struck, and begins to count replies anew. */
  public void cancel() {
    orders.cancel();
  }

  /**
   * Whether the fault that was ordered last has struck. A reply that is shorter than the bytes that
   * pass is not cut.
   *
   * @return whether it has
   */
  public boolean hasStruck() {
    return orders.strike().getCount() == 0;
  }

  /**
   * Waits until the fault that was ordered last has struck.
   *
   * @param atMost the longest wait
   * @throws InterruptedException if the wait is interrupted
   */
  public void awaitStrike(Duration atMost) throws InterruptedException {
    if (!orders.strike().await(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
      throw new AssertionError("the fault has not struck in " + atMost);
    }
  }

  /**
   * How long the replies were, in bytes, to the commands since the last order or its cancellation.
   *
   * @return a length for each command, in the order in which the commands began
   */
  public List<Integer> replyLengths() {
    return orders.replyLengths();
  }

  /**
   * Lets the server see the commands that were delayed, and then the end of their client; returns
   * when it has answered them or hung up.
   */
  public void release() {
    orders.takeDelayed().forEach(Line::deliver);
  }

  /**
   * Makes everything slower.
   *
   * @param each what each piece waits, in both directions; zero to be fast again
   */
  public void latency(Duration each) {
    gate.latency(each);
  }

  /** Lets nothing pass any more; connections stay open, and new ones are accepted. */
  public void stall() {
    gate.shut(true);
  }

  /** Lets pass what was stalled, unless its sender has gone. */
  public void resume() {
    gate.shut(false);
  }

  /** Ends every connection with RST, whatever is under way on it. */
  public void reset() {
    lines.forEach(line -> line.end(Fault.Ending.RESET));
  }

  /** Ends every connection with FIN, whatever is under way on it. */
  public void hangUp() {
    lines.forEach(line -> line.end(Fault.Ending.CLOSE));
  }

  /** As if the server's process were gone: connections end, and new ones are refused. */
  public synchronized void refuse() {
    stopListening();
    reset();
    reserve();
  }

  /** Accepts connections again after {@link #refuse()}. */
  public synchronized void admit() {
    Line.end(refusing, Fault.Ending.RESET);
    stopListening();
    ServerSocket next = listen(here);
    listener = next;
    accepting = start(() -> acceptAll(next));
  }

  /** The port is free when the thread that accepted there has noticed. */
  private void stopListening() {
    close(listener);
    try {
      accepting.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while closing port " + port(), e);
    }
  }

  /** A port that is bound and not listened at refuses connections, and nobody else can get it. */
  private void reserve() {
    refusing = new Socket();
    try {
      refusing.setReuseAddress(true);
      refusing.bind(here);
    } catch (IOException e) {
      throw new UncheckedIOException("port " + here.getPort() + " cannot be kept", e);
    }
  }

  private static ServerSocket listen(InetSocketAddress address) {
    try {
      ServerSocket socket = new ServerSocket();
      socket.setReuseAddress(true);
      socket.bind(address, BACKLOG);
      return socket;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot listen at " + address, e);
    }
  }

  private void acceptAll(ServerSocket at) {
    while (!at.isClosed()) {
      try {
        connect(at.accept());
      } catch (IOException e) {
        // Nobody is accepted any more, or whoever connected has gone already.
      }
    }
  }

  /** Whoever cannot be connected to the server is turned away. */
  private void connect(Socket client) {
    Socket upstream = new Socket();
    try {
      client.setTcpNoDelay(true);
      upstream.setTcpNoDelay(true);
      upstream.connect(server);
    } catch (IOException e) {
      Line.end(client, Fault.Ending.RESET);
      Line.end(upstream, Fault.Ending.RESET);
      return;
    }
    Line line = new Line(client, upstream, gate, orders, lines::remove);
    lines.add(line);
    line.open(FaultProxy::start);
    if (closed) {
      line.drop(Fault.Ending.RESET);
    }
  }

  private static Thread start(Runnable task) {
    Thread thread = new Thread(task, "fault-proxy");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static void close(ServerSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends everything; a command that is still delayed is lost. */
  @Override
  public synchronized void close() {
    closed = true;
    close(listener);
    Line.end(refusing, Fault.Ending.RESET);
    lines.forEach(line -> line.drop(Fault.Ending.RESET));
    gate.shut(false);
  }
}
