package io.hapax.bench;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Sends Redis commands with the least overhead in Java: one buffer, one write, and the replies
 * counted. No client library can be faster.
 */
final class RespSocket implements AutoCloseable {

  private static final byte[] END = {'\r', '\n'};
  private static final int BUFFER = 64 * 1024;

  private final Socket socket;
  private final OutputStream output;
  private final InputStream input;
  private ByteBuffer commands = ByteBuffer.allocate(BUFFER);
  private int pending;

  RespSocket(int port) throws IOException {
    this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    this.output = socket.getOutputStream();
    this.input = new BufferedInputStream(socket.getInputStream(), BUFFER);
  }

  /** Adds a command to the next flush. */
  void command(byte[]... words) {
    int length = Arrays.stream(words).mapToInt(word -> word.length + 16).sum() + 16;
    if (commands.remaining() < length) {
      commands = ByteBuffer.allocate(2 * (commands.capacity() + length)).put(commands.flip());
    }
    number('*', words.length);
    for (byte[] word : words) {
      number('$', word.length);
      commands.put(word).put(END);
    }
    pending++;
  }

  private void number(char kind, int value) {
    commands.put((byte) kind).put(ascii(Integer.toString(value))).put(END);
  }

  /** Sends the added commands and waits until the server has answered OK to each. */
  void flush() throws IOException {
    output.write(commands.array(), 0, commands.position());
    commands.clear();
    for (; pending > 0; pending--) {
      String reply = line();
      if (!reply.equals("+OK")) {
        throw new IOException("the server answered " + reply);
      }
    }
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder(8);
    for (int next = input.read(); next != '\n'; next = input.read()) {
      if (next < 0) {
        throw new EOFException("the server has closed the connection");
      }
      if (next != '\r') {
        line.append((char) next);
      }
    }
    return line.toString();
  }

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new IllegalStateException("the connection cannot be closed", e);
    }
  }
}
