package io.hapax.spring.web;

import io.hapax.mark.Bytes;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.http.HttpHeaders;

/**
 * A response as the result of its request. The bytes are a version, the status, whether it is an
 * error, the message, the headers and the body. The application's error page renders an error, with
 * the message and without the body.
 */
record StoredAnswer(int status, boolean error, String message, List<Header> headers, Bytes body) {

  record Header(String name, String value) {}

  private static final byte VERSION = 1;

  Bytes toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    try {
      out.writeByte(VERSION);
      out.writeShort(status);
      out.writeBoolean(error);
      out.writeUTF(message);
      out.writeShort(headers.size());
      for (Header header : headers) {
        out.writeUTF(header.name());
        out.writeUTF(header.value());
      }
      out.write(body.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException("the response has a header or message above 64 KB", e);
    }
    return Bytes.of(bytes.toByteArray());
  }

  static Optional<StoredAnswer> read(Bytes stored) {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(stored.toByteArray()));
    try {
      if (in.readByte() != VERSION) {
        return Optional.empty();
      }
      int status = in.readShort();
      boolean error = in.readBoolean();
      String message = in.readUTF();
      List<Header> headers = new ArrayList<>();
      for (int left = in.readShort(); left > 0; left--) {
        headers.add(new Header(in.readUTF(), in.readUTF()));
      }
      Bytes body = Bytes.of(in.readAllBytes());
      return Optional.of(new StoredAnswer(status, error, message, headers, body));
    } catch (IOException tooShort) {
      return Optional.empty();
    }
  }

  void send(HttpServletResponse response) throws IOException {
    response.setStatus(status);
    for (Header header : headers) {
      if (header.name().equalsIgnoreCase(HttpHeaders.CONTENT_TYPE)) {
        response.setContentType(header.value());
      } else {
        response.addHeader(header.name(), header.value());
      }
    }
    if (error) {
      response.sendError(status, message.isEmpty() ? null : message);
    } else {
      response.setContentLength(body.length());
      response.getOutputStream().write(body.toByteArray());
    }
  }
}
