package io.hapax.testkit.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.function.BiConsumer;

/**
 * A port of a proxy's own that leads to one server, the same as long as it lives. Who knocks is
 * connected to that server, or turned away.
 */
final class ListenPort {

  private static final int BACKLOG = 128;

  private final InetSocketAddress server;
  private final InetSocketAddress here;
  private final BiConsumer<Socket, Socket> connected;
  private ServerSocket listener;
  private Thread accepting;
  private Socket refusing = new Socket();

  /**
   * A door that is open.
   *
   * @param server where it leads to
   * @param connected is given each client, and the connection to the server that was made for it
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

  void open() {
    ProxiedConnection.end(refusing, Fault.Ending.RESET);
    shut();
    ServerSocket next = listen(here);
    listener = next;
    accepting = FaultProxy.start(() -> acceptAll(next));
  }

  /** The port is free when the thread that accepted there has noticed. */
  void shut() {
    stopListening();
    try {
      accepting.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while closing port " + port(), e);
    }
  }

  /** A port that is bound and not listened at refuses connections, and nobody else can get it. */
  void reserve() {
    refusing = new Socket();
    try {
      refusing.setReuseAddress(true);
      refusing.bind(here);
    } catch (IOException e) {
      throw new UncheckedIOException("port " + port() + " cannot be kept", e);
    }
  }

  /** For ever: waits for nobody. */
  void close() {
    stopListening();
    ProxiedConnection.end(refusing, Fault.Ending.RESET);
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
      ProxiedConnection.end(client, Fault.Ending.RESET);
      ProxiedConnection.end(upstream, Fault.Ending.RESET);
      return;
    }
    connected.accept(client, upstream);
  }
}
