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
 * <p>A second socket is bound to the port all the time, so that no other process can get it while
 * connections are refused. {@code SO_REUSEPORT} lets the two sockets overlap.
 */
final class ListenPort {

  private static final int BACKLOG = 128;

  private final InetSocketAddress server;
  private final InetSocketAddress here;
  private final BiConsumer<Socket, Socket> connected;
  private final Socket reservation = new Socket();
  private ServerSocket listener;
  private Thread accepting;

  /** Starts to accept connections. */
  ListenPort(InetSocketAddress server, BiConsumer<Socket, Socket> connected) {
    this.server = server;
    this.connected = connected;
    try {
      reservation.setReuseAddress(true);
      reservation.setOption(StandardSocketOptions.SO_REUSEPORT, true);
      reservation.bind(new InetSocketAddress(server.getAddress(), 0));
    } catch (IOException e) {
      throw new UncheckedIOException("no port can be reserved", e);
    }
    this.here = new InetSocketAddress(server.getAddress(), reservation.getLocalPort());
    this.listener = listen(here);
    this.accepting = acceptAt(listener);
  }

  int port() {
    return here.getPort();
  }

  boolean leadsTo(int port) {
    return server.getPort() == port;
  }

  void open() {
    refuse();
    listener = listen(here);
    accepting = acceptAt(listener);
  }

  /** Gives the port up. Does not wait for the accepting thread. */
  void close() {
    stopListening();
    ProxiedConnection.end(reservation, Fault.Ending.RESET);
  }

  /**
   * Refuses connections, as a port does that is bound, but not listened at. Waits for the accepting
   * thread, which still holds the socket.
   */
  void refuse() {
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

  private Thread acceptAt(ServerSocket at) {
    return FaultProxy.start(() -> {
      while (!at.isClosed()) {
        try {
          connect(at.accept());
        } catch (IOException e) {
          // The port is closed, or the client has left already.
        }
      }
    });
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
