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
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A request whose body was read ahead, because the fingerprint needs it. Of a body {@code inParts},
 * the container has read the parts. If a filter has asked for the parameters of a form, the
 * container has read them, too.
 */
final class BufferedRequest extends HttpServletRequestWrapper {

  private final boolean inParts;
  private final byte[] body;
  private final byte[] content;

  private BufferedRequest(
      HttpServletRequest request, boolean inParts, byte[] body, byte[] content) {
    super(request);
    this.inParts = inParts;
    this.body = body;
    this.content = content;
  }

  /** Empty if the body is longer than the limit in bytes. */
  static Optional<BufferedRequest> read(
      HttpServletRequest request, String handler, boolean inParts, int limit)
      throws IOException, ServletException {
    if (request.getContentLengthLong() > limit) {
      return Optional.empty();
    }
    byte[] body = inParts ? new byte[0] : request.getInputStream().readNBytes(limit + 1);
    Content content = new Content(limit - body.length);
    content.add(request.getMethod());
    content.add(request.getRequestURI());
    content.add(String.valueOf(request.getQueryString()));
    if (!handler.isEmpty()) {
      content.add(handler);
    }
    String type = String.valueOf(request.getContentType()).toLowerCase(Locale.ROOT);
    boolean form = type.startsWith("application/x-www-form-urlencoded");
    if (body.length == 0 && type.startsWith("multipart/")) {
      content.addParts(request.getParts());
    } else if (body.length == 0 && form) {
      content.addParameters(request);
    }
    content.add(body);
    if (content.left < 0) {
      return Optional.empty();
    }
    boolean parsed = form && body.length > 0 && request.getMethod().equals("POST");
    return Optional.of(new BufferedRequest(
        parsed ? new FormRequest(request, body) : request,
        inParts,
        body,
        content.bytes.toByteArray()));
  }

  /** Returns what the fingerprint covers: method, path, query, handler and body. */
  byte[] content() {
    return content;
  }

  @Override
  public ServletInputStream getInputStream() {
    if (inParts) {
      throw new IllegalStateException("A handler with @IdempotentRequest reads the raw body of a"
          + " multipart request, but the body was read as parts, because a MultipartResolver is"
          + " responsible for it: read its parts, or for another type than multipart/form-data set"
          + " spring.servlet.multipart.strict-servlet-compliance to true");
    }
    return new BodyStream(body);
  }

  @Override
  public BufferedReader getReader() throws IOException {
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

  /**
   * Each text and each body behind its length, so that no two requests have the same bytes. Later
   * versions must make the same bytes: otherwise a request that is sent again gets 422.
   */
  private static final class Content {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private long left;

    Content(long limit) {
      left = limit;
    }

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
          left -= parameter.getKey().length() + value.length();
        }
      }
    }

    /** The boundary differs in each request. Parts of a body that is too long stay on disk. */
    void addParts(Collection<Part> parts) throws IOException {
      for (Part part : parts) {
        left -= part.getSize();
      }
      if (left < 0) {
        return;
      }
      for (Part part : parts) {
        add(part.getName());
        add(String.valueOf(part.getSubmittedFileName()));
        add(String.valueOf(part.getContentType()));
        add(part.getInputStream().readAllBytes());
      }
    }
  }

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
