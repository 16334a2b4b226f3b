package io.hapax.testkit.fault;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A proxy between clients and a server of this machine, or the nodes of a cluster, which simulates
 * network faults. For each server it listens at a port of its own, which does not change. Without a
 * fault it forwards everything. A connection ends for both sides as soon as one subject ends it. A
 * proxy before several servers counts the commands to all of them, and its methods affect the
 * connections to all of them.
 *
 * <p>All methods may be called from any thread. The proxy uses two threads for each connection and
 * forwards each piece at once; it is made for faults, not for load.
 */
public final class FaultProxy implements AutoCloseable {

  private final FaultPlan plan = new FaultPlan();
  private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();
  private final List<ListenPort> ports;
  private volatile boolean closed;

  private FaultProxy(List<Integer> servers) {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    this.ports = servers.stream()
        .map(port -> new ListenPort(new InetSocketAddress(loopback, port), this::connected))
        .toList();
  }

  /** Opens a proxy before a server that listens, or will listen, on the loopback interface. */
  public static FaultProxy before(int port) {
    return before(List.of(port));
  }

  /** Opens a proxy before servers that clients see as one system, as {@link #before(int)} does. */
  public static FaultProxy before(List<Integer> ports) {
    if (ports.isEmpty()) {
      throw new IllegalArgumentException("ports is empty but must name a server");
    }
    return new FaultProxy(ports);
  }

  /** Returns the port on the loopback interface for clients of the only or first server. */
  public int port() {
    return ports.get(0).port();
  }

  /**
   * Returns the port on the loopback interface for clients of the server that listens at that port.
   */
  public int portBefore(int server) {
    return ports.stream()
        .filter(port -> port.leadsTo(server))
        .mapToInt(ListenPort::port)
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("this proxy does not lead to port " + server));
  }

  /**
   * Sets the next fault, instead of one that has not struck yet; counts commands and replies from
   * now on.
   *
   * @param fault the fault
   */
  public void next(Fault fault) {
    plan.order(fault);
  }

  /** Removes a fault that has not struck, and counts replies from now on. */
  public void cancel() {
    plan.cancel();
  }

  /**
   * Returns whether the latest fault has struck. A reply that is shorter than the bytes that pass
   * is not cut.
   */
  public boolean hasStruck() {
    return plan.hasStruck();
  }

  /**
   * Returns the lengths of the replies, in bytes, to the commands since the last fault was set or
   * removed, in the order in which the commands began.
   */
  public List<Integer> replyLengths() {
    return plan.replyLengths();
  }

  /**
   * Delivers the delayed commands to the server, followed by the end of their connection. Returns
   * when the server has answered or closed the connection.
   */
  public void release() {
    plan.takeDelayed().forEach(ProxiedConnection::deliver);
  }

  /** Stops forwarding; connections stay open, and new ones are accepted. */
  public void stall() {
    plan.shut(true);
  }

  /** Forwards again, including stalled data whose sender is still connected. */
  public void resume() {
    plan.shut(false);
  }

  /**
   * Stops forwarding on the present connections without ending them, like a firewall that has lost
   * them. New connections work.
   */
  public void silence() {
    connections.forEach(ProxiedConnection::silence);
  }

  /** Ends every connection with RST at once. */
  public void reset() {
    connections.forEach(connection -> connection.end(Fault.Ending.RESET));
  }

  /** Ends every connection with FIN at once. */
  public void hangUp() {
    connections.forEach(connection -> connection.end(Fault.Ending.CLOSE));
  }

  /** Ends all connections and refuses new ones, as if the servers' processes had died. */
  public synchronized void refuse() {
    ports.forEach(ListenPort::refuse);
    reset();
  }

  /** Accepts connections again after {@link #refuse()}. */
  public synchronized void admit() {
    ports.forEach(ListenPort::open);
  }

  private void connected(Socket client, Socket server) {
    ProxiedConnection connection = new ProxiedConnection(client, server, plan, connections::remove);
    connections.add(connection);
    connection.open(FaultProxy::start);
    if (closed) {
      connection.drop(Fault.Ending.RESET);
    }
  }

  static Thread start(Runnable task) {
    Thread thread = new Thread(task, "fault-proxy");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** Ends all connections; a command that is still delayed is lost. */
  @Override
  public synchronized void close() {
    closed = true;
    ports.forEach(ListenPort::close);
    connections.forEach(connection -> connection.drop(Fault.Ending.RESET));
    plan.shut(false);
  }
}
