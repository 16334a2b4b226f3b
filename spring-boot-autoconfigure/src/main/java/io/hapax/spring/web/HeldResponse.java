package io.hapax.spring.web;

import io.hapax.mark.Bytes;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.web.util.ContentCachingResponseWrapper;

/** A response that is not sent before the mark of its request is DONE. */
final class HeldResponse extends ContentCachingResponseWrapper {

  private final HttpServletResponse response;
  private final Map<String, List<String>> headersBefore = new LinkedHashMap<>();
  private boolean error;
  private @Nullable String message;

  HeldResponse(HttpServletResponse response) {
    super(apart(response));
    this.response = response;
    for (String name : response.getHeaderNames()) {
      headersBefore.put(name, List.copyOf(response.getHeaders(name)));
    }
  }

  /** After a forward Tomcat 11 unwraps the container's response, and completes it too early. */
  private static HttpServletResponse apart(HttpServletResponse response) {
    return (HttpServletResponse) Proxy.newProxyInstance(
        HeldResponse.class.getClassLoader(),
        new Class<?>[] {HttpServletResponse.class},
        (proxy, method, arguments) ->
            AopUtils.invokeJoinpointUsingReflection(response, method, arguments));
  }

  @Override
  public void sendError(int status) {
    sendError(status, null);
  }

  @Override
  public void sendError(int status, @Nullable String text) {
    setStatus(status);
    error = true;
    message = text;
  }

  @Override
  public void sendRedirect(String location) {
    setStatus(SC_FOUND);
    setHeader(HttpHeaders.LOCATION, location);
  }

  /** Overrides a method of Servlet 6.1; this class is compiled against 6.0, which has none. */
  public void sendRedirect(String location, int status) {
    sendRedirect(location, status, true);
  }

  /** Overrides a method of Servlet 6.1. */
  public void sendRedirect(String location, boolean clearBuffer) {
    sendRedirect(location, SC_FOUND, clearBuffer);
  }

  /** Overrides a method of Servlet 6.1. */
  public void sendRedirect(String location, int status, boolean clearBuffer) {
    if (clearBuffer) {
      resetBuffer();
    }
    setStatus(status);
    setHeader(HttpHeaders.LOCATION, location);
  }

  StoredAnswer answer(List<String> headerNames) {
    List<StoredAnswer.Header> headers = new ArrayList<>();
    String type = getContentType();
    if (type != null) {
      headers.add(new StoredAnswer.Header(HttpHeaders.CONTENT_TYPE, type));
    }
    for (String name : headerNames) {
      for (String value : getHeaders(name)) {
        headers.add(new StoredAnswer.Header(name, value));
      }
    }
    Bytes body = Bytes.of(getContentAsByteArray());
    return new StoredAnswer(getStatus(), error, message == null ? "" : message, headers, body);
  }

  void release() throws IOException {
    if (error) {
      response.sendError(getStatus(), message);
    } else {
      copyBodyToResponse();
    }
  }

  void discard() {
    if (response.isCommitted()) {
      return;
    }
    response.reset();
    headersBefore.forEach(
        (name, values) -> values.forEach(value -> response.addHeader(name, value)));
  }
}
