package io.hapax.spring.web;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.Part;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A request whose body was read ahead, because the fingerprint needs it. The parameters of a form
 * and the parts of a multipart body stay with the container, which has read them.
 */
final class BufferedRequest extends HttpServletRequestWrapper {

  private final boolean multipart;
  private final byte[] body;
  private final byte[] content;

  private BufferedRequest(
      HttpServletRequest request, boolean multipart, byte[] body, byte[] content) {
    super(request);
    this.multipart = multipart;
    this.body = body;
    this.content = content;
  }

  /**
   * Reads a request.
   *
   * @param limit the longest body, in bytes
   * @return the request; empty if its body is longer
   */
  static Optional<BufferedRequest> read(HttpServletRequest request, int limit)
      throws IOException, ServletException {
    if (request.getContentLengthLong() > limit) {
      return Optional.empty();
    }
    String type = String.valueOf(request.getContentType()).toLowerCase(Locale.ROOT);
    boolean multipart = type.startsWith("multipart/");
    Content content = new Content();
    content.add(request.getMethod());
    content.add(request.getRequestURI());
    content.add(String.valueOf(request.getQueryString()));
    if (multipart) {
      content.addParts(request);
    } else if (type.startsWith("application/x-www-form-urlencoded")) {
      content.addParameters(request);
    }
    byte[] body = multipart ? new byte[0] : request.getInputStream().readNBytes(limit + 1);
    if (body.length > limit || content.bodySize > limit) {
      return Optional.empty();
    }
    content.add(body);
    return Optional.of(new BufferedRequest(request, multipart, body, content.bytes.toByteArray()));
  }

  /** Returns what the fingerprint covers: method, path, query and body. */
  byte[] content() {
    return content;
  }

  @Override
  public ServletInputStream getInputStream() throws IOException {
    return multipart ? super.getInputStream() : new BodyStream(body);
  }

  @Override
  public BufferedReader getReader() throws IOException {
    if (multipart) {
      return super.getReader();
    }
    String encoding = getCharacterEncoding();
    return new BufferedReader(new InputStreamReader(
        getInputStream(), encoding == null ? StandardCharsets.ISO_8859_1.name() : encoding));
  }

  @Override
  public boolean isAsyncSupported() {
    return false;
  }

  @Override
  public AsyncContext startAsync() {
    throw new IllegalStateException("startAsync was called in a handler with @IdempotentRequest but"
        + " must not be: the response would be stored before it is complete");
  }

  @Override
  public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
    return startAsync();
  }

  /** Each text and each body behind its length, so that no two requests have the same bytes. */
  private static final class Content {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private long bodySize;

    void add(String text) {
      add(text.getBytes(StandardCharsets.UTF_8));
    }

    void add(byte[] part) {
      for (int shift = 24; shift >= 0; shift -= 8) {
        bytes.write(part.length >> shift);
      }
      bytes.writeBytes(part);
    }

    void addParameters(HttpServletRequest request) {
      for (Map.Entry<String, String[]> parameter : request.getParameterMap().entrySet()) {
        for (String value : parameter.getValue()) {
          add(parameter.getKey());
          add(value);
        }
      }
    }

    /** The boundary between the parts is another one in each request. */
    void addParts(HttpServletRequest request) throws IOException, ServletException {
      for (Part part : request.getParts()) {
        add(part.getName());
        add(String.valueOf(part.getSubmittedFileName()));
        add(String.valueOf(part.getContentType()));
        bodySize += part.getSize();
        add(part.getInputStream().readAllBytes());
      }
    }
  }

  /** The body, for a handler that reads it in blocking mode. */
  private static final class BodyStream extends ServletInputStream {

    private final ByteArrayInputStream rest;

    BodyStream(byte[] body) {
      rest = new ByteArrayInputStream(body);
    }

    @Override
    public int read() {
      return rest.read();
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      return rest.read(target, offset, length);
    }

    @Override
    public boolean isFinished() {
      return rest.available() == 0;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
      throw new IllegalStateException(
          "setReadListener was called in a handler with @IdempotentRequest but must not be");
    }
  }
}
