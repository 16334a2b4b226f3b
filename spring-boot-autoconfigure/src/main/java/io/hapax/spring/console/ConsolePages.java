package io.hapax.spring.console;

import io.hapax.console.Console;
import io.hapax.console.http.EventStream;
import io.hapax.console.http.Parameters;
import io.hapax.console.http.Request;
import io.hapax.console.http.Request.Caller;
import io.hapax.console.http.Response;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.http.MediaType;
import org.springframework.web.util.UriUtils;

/** Lists the consumers at {@code /}, and has the console of one at {@code /CONSUMER/}. */
public final class ConsolePages {

  /** The attribute of a request with the path of the endpoint, as browsers see it. */
  static final String ROOT = ConsolePages.class.getName() + ".root";

  /** The attribute of a request with the decoded path below that of the endpoint. */
  static final String BELOW = ConsolePages.class.getName() + ".below";

  private static final Logger LOG = LoggerFactory.getLogger(ConsolePages.class);

  private static final int LONGEST_BODY = 256 * 1024;

  /** The maximum number of event streams of all consoles: each one occupies a thread. */
  private static final int MOST_STREAMS = 24;

  private static final String TEXT = "text/plain";

  private final Consoles consoles;
  private final ConsoleEndpoint endpoint;
  private final ConsoleProperties properties;
  private final EndpointAccessResolver access;
  private final Semaphore streams = new Semaphore(MOST_STREAMS);

  public ConsolePages(
      Consoles consoles,
      ConsoleEndpoint endpoint,
      ConsoleProperties properties,
      EndpointAccessResolver access) {
    this.consoles = consoles;
    this.endpoint = endpoint;
    this.properties = properties;
    this.access = access;
  }

  /** Answers a request. An event stream occupies the thread until the browser closes it. */
  public void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
    if (!((String) request.getAttribute(BELOW)).endsWith("/events")) {
      send(request, response(request), response);
    } else if (streams.tryAcquire()) {
      try {
        send(request, response(request), response);
      } finally {
        streams.release();
      }
    } else {
      String limit = "the limit of " + MOST_STREAMS + " open pages with live data is reached\n";
      send(request, Response.text(503, TEXT, limit), response);
    }
  }

  private Response response(HttpServletRequest request) {
    String root = (String) request.getAttribute(ROOT);
    String below = (String) request.getAttribute(BELOW);
    int end = below.indexOf('/', 1);
    String consumer = below.isEmpty() ? "" : below.substring(1, end < 0 ? below.length() : end);
    if (consumer.isEmpty()) {
      return ConsumerList.page(root, endpoint.consumers());
    }
    String base = root + "/" + UriUtils.encodePathSegment(consumer, StandardCharsets.UTF_8);
    Optional<Console> console = consoles.of(consumer, base);
    if (console.isEmpty()) {
      return Response.text(404, TEXT, "no listener has this consumer\n");
    }
    boolean posts = request.getMethod().equals("POST");
    if (posts && !isForm(request)) {
      return Response.text(415, TEXT, "Content-Type must be application/x-www-form-urlencoded\n");
    } else if (posts && request.getContentLengthLong() > LONGEST_BODY) {
      return Response.text(413, TEXT, "the form is too long\n");
    }
    Request own;
    try {
      own = request(request, base + (end < 0 ? "" : below.substring(end)));
    } catch (IllegalArgumentException e) {
      return Response.text(400, TEXT, "the request is malformed\n");
    }
    return console.get().answer(own);
  }

  private static boolean isForm(HttpServletRequest request) {
    String type = request.getContentType();
    return type != null
        && type.toLowerCase(Locale.ROOT).startsWith(MediaType.APPLICATION_FORM_URLENCODED_VALUE);
  }

  private Request request(HttpServletRequest request, String path) {
    Map<String, String> headers = new HashMap<>();
    for (String name : Collections.list(request.getHeaderNames())) {
      String separator = name.equalsIgnoreCase("Cookie") ? ";" : ",";
      headers.put(
          name.toLowerCase(Locale.ROOT),
          String.join(separator, Collections.list(request.getHeaders(name))));
    }
    String encoded = request.getQueryString();
    Map<String, List<String>> query = Parameters.decode(encoded == null ? "" : encoded);
    return new Request(
        request.getMethod(),
        path,
        headers,
        query,
        form(request, query),
        request.getRemoteAddr(),
        Optional.of(user(request)));
  }

  /** The application has refused users who must not read. A change needs a user with the role. */
  private Caller user(HttpServletRequest request) {
    Principal user = request.getUserPrincipal();
    return user == null
        ? new Caller("anonymous", false)
        : new Caller(user.getName(), mayWrite(request, properties.role()));
  }

  private boolean mayWrite(HttpServletRequest request, @Nullable String role) {
    return properties.allowWrites()
        && role != null
        && request.isUserInRole(role)
        && access.accessFor(EndpointId.of(ConsoleEndpoint.ID), Access.UNRESTRICTED)
            == Access.UNRESTRICTED;
  }

  /** A filter may have read the body already: its fields follow those of the address. */
  private static Map<String, List<String>> form(
      HttpServletRequest request, Map<String, List<String>> query) {
    Map<String, List<String>> form = new HashMap<>();
    if (request.getMethod().equals("POST")) {
      request.getParameterMap().forEach((name, values) -> {
        int before = query.getOrDefault(name, List.of()).size();
        List<String> all = List.of(values);
        form.put(name, new ArrayList<>(all.subList(Math.min(before, all.size()), all.size())));
      });
    }
    return form;
  }

  private static void send(HttpServletRequest request, Response response, HttpServletResponse to)
      throws IOException {
    to.setStatus(response.status());
    response.headers().forEach(header -> to.addHeader(header.name(), header.value()));
    if (response.events().isPresent()) {
      stream(response.events().get(), to);
    } else if (!request.getMethod().equals("HEAD") && response.body().length() > 0) {
      byte[] body = response.body().toByteArray();
      to.setContentLength(body.length);
      to.getOutputStream().write(body);
    }
  }

  private static void stream(EventStream events, HttpServletResponse to) throws IOException {
    OutputStream out = to.getOutputStream();
    try {
      events.send((name, data) -> {
        out.write(EventStream.encoded(name, data));
        to.flushBuffer();
      });
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      LOG.debug("the browser closed the connection", e);
    }
  }
}
