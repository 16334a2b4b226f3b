package io.hapax.testkit.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.util.function.BiConsumer;

/**
 * A port of a proxy that leads to one server, always the same port. Connects each client to that
 * server, or refuses it.
 *
 * <p>At every moment a socket of this class is bound to the port, so that no other process can get
 * it while connections are refused. {@code SO_REUSEPORT} lets two sockets overlap.
 */
final class ListenPort {

  private static final int BACKLOG = 128;

  private final InetSocketAddress server;
  private final InetSocketAddress here;
  private final BiConsumer<Socket, Socket> connected;
  private ServerSocket listener;
  private Thread accepting;
  private Socket reservation = new Socket();

  /**
   * Starts to accept connections.
   *
   * @param server where the port leads to
   * @param connected receives each client and the new connection to the server
   */
  ListenPort(InetSocketAddress server, BiConsumer<Socket, Socket> connected) {
    this.server = server;
    this.connected = connected;
    this.listener = listen(new InetSocketAddress(server.getAddress(), 0));
    this.here = new InetSocketAddress(server.getAddress(), listener.getLocalPort());
    ServerSocket first = listener;
    this.accepting = FaultProxy.start(() -> acceptAll(first));
  }

  int port() {
    return here.getPort();
  }

  boolean leadsTo(int port) {
    return server.getPort() == port;
  }

  /** Accepts connections again. */
  void open() {
    stopAccepting();
    ServerSocket next = listen(here);
    ProxiedConnection.end(reservation, Fault.Ending.RESET);
    listener = next;
    accepting = FaultProxy.start(() -> acceptAll(next));
  }

  /** Refuses connections: a port that is bound, but not listened at, does so. */
  void refuse() {
    ProxiedConnection.end(reservation, Fault.Ending.RESET);
    reservation = new Socket();
    try {
      reservation.setReuseAddress(true);
      reservation.setOption(StandardSocketOptions.SO_REUSEPORT, true);
      reservation.bind(here);
    } catch (IOException e) {
      throw new UncheckedIOException("port " + port() + " cannot be reserved", e);
    }
    stopAccepting();
  }

  /** Gives the port up. Does not wait for the accepting thread. */
  void close() {
    stopListening();
    ProxiedConnection.end(reservation, Fault.Ending.RESET);
  }

  /** Stops listening and waits for the accepting thread, which still holds the socket. */
  private void stopAccepting() {
    stopListening();
    try {
      accepting.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while closing port " + port(), e);
    }
  }

  private void stopListening() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ServerSocket listen(InetSocketAddress address) {
    try {
      ServerSocket socket = new ServerSocket();
      socket.setReuseAddress(true);
      socket.setOption(StandardSocketOptions.SO_REUSEPORT, true);
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
        // The port is closed, or the client has left already.
      }
    }
  }

  /** Connects a client to the server; resets its connection if the server cannot be reached. */
  private void connect(Socket client) {
    Socket upstream = new Socket();
    try {
      client.setTcpNoDelay(true);
      upstream.setTcpNoDelay(true);
      upstream.connect(server);
    } catch (IOException e) {
      ProxiedConnection.end(client, Fault.Ending.RESET);
      ProxiedConnection.end(upstream, Fault.Ending.RESET);
      return;
    }
    connected.accept(client, upstream);
  }
}
