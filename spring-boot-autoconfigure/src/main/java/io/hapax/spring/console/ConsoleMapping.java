package io.hapax.spring.console;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.RequestPath;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.handler.AbstractHandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

/** Maps the pages of an endpoint, so that the application's security sees it like any other. */
public final class ConsoleMapping extends AbstractHandlerMapping {

  /** Before the operations of endpoints, which would answer at the first page. */
  private static final int BEFORE_ENDPOINTS = -101;

  private static final EndpointId ENDPOINT = EndpointId.of(ConsoleEndpoint.ID);

  private final PathMappedEndpoints paths;
  private final HandlerMethod handler;

  public ConsoleMapping(PathMappedEndpoints paths, ConsolePages pages) {
    this.paths = paths;
    this.handler = new HandlerMethod(
        pages,
        Objects.requireNonNull(ReflectionUtils.findMethod(
            ConsolePages.class, "answer", HttpServletRequest.class, HttpServletResponse.class)));
    setOrder(BEFORE_ENDPOINTS);
  }

  @Override
  protected @Nullable Object getHandlerInternal(HttpServletRequest request) {
    String root = paths.getPath(ENDPOINT);
    String path = path(request);
    if (root == null
        || !(path.equals(root) || path.startsWith(root + "/"))
        || !isSpelled(path, request)) {
      return null;
    }
    request.setAttribute(BEST_MATCHING_PATTERN_ATTRIBUTE, root + "/**"); // for meters of requests
    request.setAttribute(ConsolePages.ROOT, prefix(request) + root);
    request.setAttribute(ConsolePages.BELOW, path.substring(root.length()));
    return handler;
  }

  /** Returns the path within the servlet, which the container has decoded and resolved. */
  private static String path(HttpServletRequest request) {
    String below = request.getPathInfo();
    return below == null ? request.getServletPath() : below;
  }

  /**
   * Returns whether the browser sent this path itself. A rule of the application's security that
   * reads the address as it was sent matches no other spelling, such as {@code //actuator}.
   */
  private static boolean isSpelled(String path, HttpServletRequest request) {
    RequestPath sent = ServletRequestPathUtils.hasParsedRequestPath(request)
        ? ServletRequestPathUtils.getParsedRequestPath(request)
        : ServletRequestPathUtils.parseAndCache(request);
    StringBuilder spelled = new StringBuilder();
    for (PathContainer.Element element : sent.pathWithinApplication().elements()) {
      if (!(element instanceof PathContainer.PathSegment segment)) {
        spelled.append('/');
      } else if (segment.valueToMatch().indexOf('/') >= 0) {
        return false;
      } else {
        spelled.append(segment.valueToMatch());
      }
    }
    return path.contentEquals(spelled);
  }

  private static String prefix(HttpServletRequest request) {
    String context = request.getServletContext().getContextPath();
    return request.getPathInfo() == null ? context : context + request.getServletPath();
  }
}
