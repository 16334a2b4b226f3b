package io.hapax.servers;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A connection to a Redis server for one command at a time, with replies as text. It suffices to
 * ask for the state of a server.
 */
final class RedisConnection implements AutoCloseable {

  static final class Refusal extends IOException {

    private static final long serialVersionUID = 1L;

    Refusal(String message) {
      super(message);
    }
  }

  private static final Charset BYTES = StandardCharsets.ISO_8859_1;

  private final Socket socket;
  private final BufferedReader input;

  private RedisConnection(Socket socket) throws IOException {
    this.socket = socket;
    this.input = new BufferedReader(new InputStreamReader(socket.getInputStream(), BYTES));
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
    socket.getOutputStream().write(request.toString().getBytes(BYTES));
    return reply();
  }

  private String reply() throws IOException {
    String line = input.readLine();
    if (line == null || line.isEmpty()) {
      throw new EOFException("the server has closed the connection");
    }
    String rest = line.substring(1);
    return switch (line.charAt(0)) {
      case '-' -> throw new Refusal(rest);
      case '$' -> bulk(Integer.parseInt(rest));
      case '*' -> list(Integer.parseInt(rest));
      default -> rest;
    };
  }

  private String bulk(int length) throws IOException {
    StringBuilder content = new StringBuilder();
    while (length >= 0 && content.length() < length + 2) { // with the end of the line
      int next = input.read();
      if (next < 0) {
        throw new EOFException("the server has closed the connection");
      }
      content.append((char) next);
    }
    return content.substring(0, Math.max(0, length));
  }

  private String list(int length) throws IOException {
    List<String> elements = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      elements.add(reply());
    }
    return String.join("\n", elements);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
