package io.hapax.servers;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Sends one request to a RocketMQ name server or broker on its own connection. It suffices to probe
 * servers and to create topics and groups, without RocketMQ's client and its dependencies.
 *
 * <p>A frame consists of its length, the length of its header, the header in JSON, and a body.
 */
final class RocketMqConnection {

  /** Reports an answer that is not a success. */
  static final class Refusal extends IOException {

    private static final long serialVersionUID = 1L;

    Refusal(String message) {
      super(message);
    }
  }

  static final int UPDATE_AND_CREATE_TOPIC = 17;
  static final int GET_ROUTE_OF_TOPIC = 105;
  static final int GET_CLUSTER = 106;
  static final int UPDATE_AND_CREATE_GROUP = 200;

  private static final int LONGEST_ANSWER = 16 << 20;
  private static final Pattern CODE = Pattern.compile("\"code\":(\\d+)");

  private final RocketMqAccess access;

  RocketMqConnection(RocketMqAccess access) {
    this.access = access;
  }

  /**
   * Sends a request, and returns the answer's body as text.
   *
   * @throws Refusal if the answer is not a success
   * @throws IOException if no answer arrives in time
   */
  String ask(int port, int silenceMillis, int code, Map<String, String> fields) throws IOException {
    return ask(port, silenceMillis, code, fields, "");
  }

  /** Sends a request with a body. */
  String ask(int port, int silenceMillis, int code, Map<String, String> fields, String question)
      throws IOException {
    byte[] body = question.getBytes(StandardCharsets.UTF_8);
    byte[] header = header(code, access.sign(fields, body)).getBytes(StandardCharsets.UTF_8);
    try (Socket socket = access.connect(port)) {
      socket.setSoTimeout(silenceMillis);
      DataOutputStream output = new DataOutputStream(socket.getOutputStream());
      output.write(frame(header, body));
      output.flush();
      return answer(new DataInputStream(socket.getInputStream()), code);
    }
  }

  private static byte[] frame(byte[] header, byte[] body) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream frame = new DataOutputStream(bytes);
    frame.writeInt(Integer.BYTES + header.length + body.length);
    frame.writeInt(header.length); // its first byte, zero, means that the header is JSON
    frame.write(header);
    frame.write(body);
    return bytes.toByteArray();
  }

  private static String header(int code, Map<String, String> fields) {
    String json = fields.entrySet().stream()
        .map(field -> quoted(field.getKey()) + ':' + quoted(field.getValue()))
        .collect(Collectors.joining(","));
    return "{\"code\":" + code + ",\"language\":\"JAVA\",\"version\":0,\"opaque\":1,\"flag\":0,"
        + "\"serializeTypeCurrentRPC\":\"JSON\",\"extFields\":{" + json + "}}";
  }

  static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private static String answer(DataInputStream input, int code) throws IOException {
    int length = input.readInt();
    int headerLength = input.readInt() & 0xffffff;
    if (length > LONGEST_ANSWER || headerLength > length - Integer.BYTES) {
      throw new IOException("no frame of RocketMQ: length " + length + ", header " + headerLength);
    }
    String header = text(input, headerLength);
    String body = text(input, length - Integer.BYTES - headerLength);
    Matcher result = CODE.matcher(header);
    if (!result.find() || !"0".equals(result.group(1))) {
      throw new Refusal("request " + code + " was answered with " + header);
    }
    return body;
  }

  private static String text(DataInputStream input, int length) throws IOException {
    byte[] bytes = new byte[length];
    input.readFully(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
