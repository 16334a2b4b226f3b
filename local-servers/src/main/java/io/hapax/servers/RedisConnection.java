package io.hapax.servers;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A connection to a Redis server for one command at a time, with replies as text. It suffices to
 * ask for the state of a server.
 */
final class RedisConnection implements AutoCloseable {

  /** Reports that the server's answer is an error. */
  static final class Refusal extends IOException {

    private static final long serialVersionUID = 1L;

    Refusal(String message) {
      super(message);
    }
  }

  private final Socket socket;
  private final InputStream input;

  private RedisConnection(Socket socket) throws IOException {
    this.socket = socket;
    this.input = new BufferedInputStream(socket.getInputStream());
  }

  static RedisConnection to(int port, int silenceMillis) throws IOException {
    Socket socket = Loopback.connect(port);
    try {
      socket.setSoTimeout(silenceMillis);
      return new RedisConnection(socket);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  String ask(List<String> words) throws IOException {
    StringBuilder request = new StringBuilder().append('*').append(words.size()).append("\r\n");
    for (String word : words) {
      request.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
    }
    OutputStream output = socket.getOutputStream();
    output.write(request.toString().getBytes(StandardCharsets.ISO_8859_1));
    output.flush();
    return reply();
  }

  private String reply() throws IOException {
    String line = line();
    String rest = line.substring(1);
    return switch (line.charAt(0)) {
      case '-' -> throw new Refusal(rest);
      case '$' -> bulk(Integer.parseInt(rest));
      case '*' -> list(Integer.parseInt(rest));
      default -> rest;
    };
  }

  private String bulk(int length) throws IOException {
    if (length < 0) {
      return "";
    }
    byte[] content = input.readNBytes(length + 2);
    if (content.length < length + 2) {
      throw new EOFException("the server has closed the connection");
    }
    return new String(content, 0, length, StandardCharsets.ISO_8859_1);
  }

  private String list(int length) throws IOException {
    List<String> elements = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      elements.add(reply());
    }
    return String.join("\n", elements);
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = input.read(); next != '\n'; next = input.read()) {
      if (next < 0) {
        throw new EOFException("the server has closed the connection");
      }
      if (next != '\r') {
        line.append((char) next);
      }
    }
    if (line.isEmpty()) {
      throw new IOException("the server has sent an empty line");
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
