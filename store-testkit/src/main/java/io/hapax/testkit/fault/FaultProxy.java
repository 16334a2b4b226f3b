package io.hapax.testkit.fault;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Stands between clients and a server of this machine, or the nodes of a cluster, and does to their
 * connections what networks do: at a port of its own for each server, the same as long as it lives.
 * Without an order it passes everything on. A connection ends for both sides as soon as one of them
 * ends it. Before several servers it counts the commands to all of them, and what is done to
 * connections is done to all of theirs.
 *
 * <p>All methods may be called from any thread. It uses two threads for each connection, and what
 * it passes on it passes on at once: it is made for faults, not for load.
 */
public final class FaultProxy implements AutoCloseable {

  private final Throttle gate = new Throttle();
  private final FaultPlan orders = new FaultPlan();
  private final Set<ProxiedConnection> lines = ConcurrentHashMap.newKeySet();
  private final List<ListenPort> doors;
  private volatile boolean closed;

  private FaultProxy(List<Integer> servers) {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    this.doors = servers.stream()
        .map(port -> new ListenPort(new InetSocketAddress(loopback, port), this::connected))
        .toList();
  }

  /**
   * Opens a proxy before a server.
   *
   * @param port where the server listens, or is going to listen, on the loopback interface
   * @return the proxy
   */
  public static FaultProxy before(int port) {
    return before(List.of(port));
  }

  /**
   * Opens a proxy before servers that are one thing to their clients.
   *
   * @param ports where they listen, or are going to listen, on the loopback interface
   * @return the proxy
   */
  public static FaultProxy before(List<Integer> ports) {
    if (ports.isEmpty()) {
      throw new IllegalArgumentException("ports is empty but must name a server");
    }
    return new FaultProxy(ports);
  }

  /**
   * Where clients find the server, or the first of several.
   *
   * @return the port on the loopback interface
   */
  public int port() {
    return doors.get(0).port();
  }

  /**
   * Where clients find one of the servers.
   *
   * @param server the port at which that server listens
   * @return the proxy's port on the loopback interface
   */
  public int portBefore(int server) {
    return doors.stream()
        .filter(door -> door.leadsTo(server))
        .mapToInt(ListenPort::port)
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("this proxy does not stand before port " + server));
  }

  /**
   * FaultPlan a fault, in place of one that has not struck yet, and begins to count commands and
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
    orders.takeDelayed().forEach(ProxiedConnection::deliver);
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

  /**
   * Lets nothing pass any more on the connections that stand, as a firewall that has forgotten
   * them: neither side is told. New ones are served.
   */
  public void silence() {
    lines.forEach(ProxiedConnection::silence);
  }

  /** Ends every connection with RST, whatever is under way on it. */
  public void reset() {
    lines.forEach(line -> line.end(Fault.Ending.RESET));
  }

  /** Ends every connection with FIN, whatever is under way on it. */
  public void hangUp() {
    lines.forEach(line -> line.end(Fault.Ending.CLOSE));
  }

  /** As if the servers' processes were gone: connections end, and new ones are refused. */
  public synchronized void refuse() {
    doors.forEach(ListenPort::shut);
    reset();
    doors.forEach(ListenPort::reserve);
  }

  /** Accepts connections again after {@link #refuse()}. */
  public synchronized void admit() {
    doors.forEach(ListenPort::open);
  }

  private void connected(Socket client, Socket server) {
    ProxiedConnection line = new ProxiedConnection(client, server, gate, orders, lines::remove);
    lines.add(line);
    line.open(FaultProxy::start);
    if (closed) {
      line.drop(Fault.Ending.RESET);
    }
  }

  static Thread start(Runnable task) {
    Thread thread = new Thread(task, "fault-proxy");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** Ends everything; a command that is still delayed is lost. */
  @Override
  public synchronized void close() {
    closed = true;
    doors.forEach(ListenPort::close);
    lines.forEach(line -> line.drop(Fault.Ending.RESET));
    gate.shut(false);
  }
}
