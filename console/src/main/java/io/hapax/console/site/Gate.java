package io.hapax.console.site;

import io.hapax.console.http.Request;
import io.hapax.console.http.Response;
import io.hapax.console.page.Links;
import io.hapax.console.page.Texts;
import io.hapax.console.security.Hosts;
import io.hapax.console.security.SignedInUser;
import io.hapax.errors.AuditFailedException;
import io.hapax.operations.text.Text;
import io.hapax.operations.text.TextExceptions;
import io.hapax.store.StoreException;
import java.net.URI;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks each request before it is routed: refuses foreign hosts and origins, users who are not
 * signed in, and forms without their CSRF token. Adds the security headers to each response.
 */
final class Gate {

  private static final Logger LOG = LoggerFactory.getLogger(Gate.class);

  private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self';"
      + " img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none';"
      + " frame-ancestors 'none'";

  private final Visit.Surroundings surroundings;
  private final Optional<Hosts> hosts;
  private final Optional<SignIn> signIn;
  private final boolean writes;
  private final Routes routes;
  private final Assets assets = new Assets();

  Gate(
      Visit.Surroundings surroundings,
      Optional<Hosts> hosts,
      Optional<SignIn> signIn,
      boolean writes,
      Routes routes) {
    this.surroundings = surroundings;
    this.hosts = hosts;
    this.signIn = signIn;
    this.writes = writes;
    this.routes = routes;
  }

  Response answer(Request request) {
    Optional<SignedInUser> identity = identify(request);
    Visit visit = new Visit(request, path(request), identity, surroundings);
    return ResponseEncoding.to(request, protectedBy(checked(visit)));
  }

  /** Returns the path below the base. A path outside of the base becomes one that no route has. */
  private String path(Request request) {
    String base = surroundings.base();
    String path = request.path();
    if (path.equals(base)) {
      return "/";
    }
    return path.startsWith(base + "/") ? path.substring(base.length()) : "//";
  }

  private Optional<SignedInUser> identify(Request request) {
    if (signIn.isPresent()) {
      return signIn.get().identify(request);
    }
    return request
        .caller()
        .map(caller -> new SignedInUser(
            caller.name(), "caller " + caller.name(), writes && caller.mayWrite()));
  }

  private Response checked(Visit visit) {
    try {
      return passed(visit);
    } catch (RefusedRequest e) {
      return visit.error(e.status(), e.key(), e.detail());
    } catch (IllegalArgumentException e) {
      return visit.error(400, "bad-request", TextExceptions.text(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return visit.error(503, "unavailable", Text.NONE);
    } catch (Exception e) {
      LOG.warn("{} {} failed", visit.request().method(), visit.path(), e);
      boolean away = e instanceof StoreException || e instanceof AuditFailedException;
      return visit.error(
          away ? 503 : 500, away ? "unavailable" : "internal", TextExceptions.text(e));
    }
  }

  private Response passed(Visit visit) throws Exception {
    Request request = visit.request();
    if (hosts.isPresent() && !hosts.get().permits(request)) {
      throw new RefusedRequest(403, "host", "");
    }
    boolean posts = request.method().equals("POST");
    if (!posts && !request.reads()) {
      throw new RefusedRequest(405, "method", "");
    }
    if (posts && !Hosts.isOwnOrigin(request)) {
      throw new RefusedRequest(403, "csrf", "");
    }
    if (request.reads() && visit.path().startsWith("/assets/")) {
      return assets
          .find(visit.path().substring("/assets/".length()))
          .orElseThrow(() -> new RefusedRequest(404, "not-found", ""));
    }
    if (request.reads() && request.query("lang").isPresent()) {
      return chosenLanguage(visit);
    }
    if (signIn.isPresent() && visit.path().equals("/metrics")) {
      return metrics(request, signIn.get());
    }
    if (signIn.isPresent() && visit.path().equals("/signin")) {
      return posts ? signIn.get().enter(visit) : signIn.get().page(visit);
    }
    return visit.identity().isPresent() ? known(visit) : unknown(visit);
  }

  /** Serves the figures to a program, which sends the token instead of a session. */
  private Response metrics(Request request, SignIn signIn) throws RefusedRequest {
    if (!request.reads()) {
      throw new RefusedRequest(405, "method", "");
    }
    if (!signIn.isBearer(request)) {
      return Response.text(401, "text/plain", "the token is missing or wrong\n")
          .with("WWW-Authenticate", "Bearer");
    }
    return routes.metrics(surroundings.consumer());
  }

  private Response chosenLanguage(Visit visit) throws RefusedRequest {
    String language = visit.request().query("lang").orElse("");
    if (!Texts.LANGUAGES.contains(language)) {
      throw new RefusedRequest(
          400, "bad-request", "lang is " + language + " but must be one of " + Texts.LANGUAGES);
    }
    String address = visit.address();
    return visit
        .redirect(address)
        .with(
            "Set-Cookie",
            Visit.LANGUAGE_COOKIE + "=" + language + "; Path=" + surroundings.base()
                + "/; Max-Age=31536000; HttpOnly; SameSite=Strict");
  }

  /**
   * Leads a browser to the sign-in, and from there back; a button is never pressed on its behalf.
   */
  private Response unknown(Visit visit) throws RefusedRequest {
    boolean page = visit.request().header("hx-request").isEmpty()
        && !visit.request().method().equals("HEAD")
        && !visit.path().endsWith("/events")
        && !visit.path().startsWith("/json/")
        && !visit.path().endsWith("json");
    if (signIn.isEmpty() || !page) {
      throw new RefusedRequest(401, "forbidden", "");
    }
    return visit.redirect(
        visit.request().reads()
            ? "/signin?next=" + Links.encoded(visit.address())
            : "/signin?pressed=yes&next=" + Links.encoded(origin(visit.request())));
  }

  /** Returns the address of the page whose form was sent: Gate has checked its origin. */
  private String origin(Request request) {
    try {
      URI page = URI.create(request.header("referer").orElse(""));
      String path = page.getRawPath() == null ? "" : page.getRawPath();
      return path.startsWith(surroundings.base() + "/")
          ? path.substring(surroundings.base().length())
              + (page.getRawQuery() == null ? "" : "?" + page.getRawQuery())
          : "/";
    } catch (IllegalArgumentException e) {
      return "/";
    }
  }

  private Response known(Visit visit) throws Exception {
    SignedInUser identity = visit.identity().orElseThrow();
    if (!visit.request().reads()) {
      String token = visit.request().form("csrf").orElse("");
      if (!surroundings.csrf().matches(identity.session(), token)) {
        throw new RefusedRequest(403, "csrf", "");
      }
      if (signIn.isPresent() && visit.path().equals("/signout")) {
        return signIn.get().leave(visit);
      }
    }
    return routes.answer(visit, () -> identify(visit.request()).isPresent());
  }

  private static Response protectedBy(Response response) {
    Response safe = response
        .with("Content-Security-Policy", POLICY)
        .with("X-Content-Type-Options", "nosniff")
        .with("X-Frame-Options", "DENY")
        .with("Referrer-Policy", "same-origin")
        .with("Cross-Origin-Opener-Policy", "same-origin");
    return safe.header("Cache-Control").isPresent() ? safe : safe.with("Cache-Control", "no-store");
  }
}
