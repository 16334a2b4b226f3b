package io.hapax.spring.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.net.URLDecoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/** A form whose body was read ahead, so that the container cannot find its parameters there. */
final class FormRequest extends HttpServletRequestWrapper {

  private final byte[] body;
  private @Nullable Map<String, String[]> parameters;

  FormRequest(HttpServletRequest request, byte[] body) {
    super(request);
    this.body = body;
  }

  @Override
  public Map<String, String[]> getParameterMap() {
    if (parameters == null) {
      parameters = Collections.unmodifiableMap(parsed());
    }
    return parameters;
  }

  @Override
  public String @Nullable [] getParameterValues(String name) {
    return getParameterMap().get(name);
  }

  @Override
  public @Nullable String getParameter(String name) {
    String[] values = getParameterValues(name);
    return values == null ? null : values[0];
  }

  @Override
  public Enumeration<String> getParameterNames() {
    return Collections.enumeration(getParameterMap().keySet());
  }

  /** The parameters of the query, which the container knows, come first. */
  private Map<String, String[]> parsed() {
    Map<String, String[]> all = new LinkedHashMap<>(super.getParameterMap());
    String encoding = getCharacterEncoding();
    Charset charset = encoding == null ? StandardCharsets.UTF_8 : Charset.forName(encoding);
    for (String pair : new String(body, charset).split("&", -1)) {
      int equals = pair.indexOf('=');
      String name = decoded(equals < 0 ? pair : pair.substring(0, equals), charset);
      String value = equals < 0 ? "" : decoded(pair.substring(equals + 1), charset);
      if (!pair.isEmpty()) {
        all.merge(name, new String[] {value}, FormRequest::joined);
      }
    }
    return all;
  }

  private static String decoded(String text, Charset charset) {
    try {
      return URLDecoder.decode(text, charset);
    } catch (IllegalArgumentException e) {
      throw new ResponseStatusException(
          HttpStatus.BAD_REQUEST, "A parameter of the form cannot be decoded", e);
    }
  }

  private static String[] joined(String[] first, String[] second) {
    return Stream.of(first, second).flatMap(Arrays::stream).toArray(String[]::new);
  }
}
