package io.hapax.testkit;

import io.hapax.store.StoreException;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Supplier;

/** A connection to a {@link HeapServer}, which is replaced when it breaks. */
class HeapConnection implements AutoCloseable {

  private final int port;
  private Optional<Socket> socket = Optional.empty();

  HeapConnection(int port) {
    this.port = port;
  }

  int port() {
    return port;
  }

  @SuppressWarnings("unchecked") // the answer is that of this task
  synchronized <A> A ask(Supplier<A> task) {
    long number = HeapServer.ticket(task);
    try {
      Socket open = connection();
      open.getOutputStream().write(ByteBuffer.allocate(8).putLong(number).array());
      byte[] reply = new DataInputStream(open.getInputStream()).readNBytes(HeapServer.REPLY_BYTES);
      if (reply.length < HeapServer.REPLY_BYTES) {
        throw new EOFException("the reply ended after " + reply.length + " bytes");
      }
      return (A) HeapServer.answer(number);
    } catch (IOException e) {
      broken();
      throw new StoreException("the server did not answer", e);
    }
  }

  private Socket connection() throws IOException {
    if (socket.isEmpty()) {
      Socket opened = new Socket(InetAddress.getLoopbackAddress(), port);
      opened.setSoTimeout(timeoutMillis());
      socket = Optional.of(opened);
    }
    return socket.orElseThrow();
  }

  protected int timeoutMillis() {
    return 200;
  }

  protected void broken() {
    close();
  }

  @Override
  public synchronized void close() {
    try {
      for (Socket open : socket.stream().toList()) {
        open.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    socket = Optional.empty();
  }
}
