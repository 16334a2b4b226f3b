package io.hapax.console;

import io.hapax.console.http.Parameters;
import io.hapax.console.http.Request;
import io.hapax.console.http.Response;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A client of the console without a network. It keeps cookies and reads CSRF tokens, as a browser
 * does.
 */
final class Visitor {

  static final String TOKEN = "a-token-of-the-tests";

  private static final Pattern CSRF = Pattern.compile("name=\"csrf\"[^>]*value=\"([^\"]+)\"");
  private static final Pattern PLAN = Pattern.compile("name=\"plan\"[^>]*value=\"([^\"]+)\"");

  private final Console console;
  private final String base;
  private final Optional<Request.Caller> caller;
  private final Map<String, String> cookies = new HashMap<>();
  private final Map<String, String> headers = new HashMap<>(Map.of("host", "localhost:8090"));

  Visitor(Console console) {
    this(console, "", Optional.empty());
  }

  private Visitor(Console console, String base, Optional<Request.Caller> caller) {
    this.console = console;
    this.base = base;
    this.caller = caller;
  }

  /** Visits a console within an application, as a user who may write. */
  static Visitor within(Console console, String base) {
    return new Visitor(console, base, Optional.of(new Request.Caller("ann", true)));
  }

  static Visitor signedIn(Console console) {
    Visitor visitor = new Visitor(console);
    Response entered = visitor.post("/signin", "token", TOKEN);
    if (entered.status() != 303) {
      throw new AssertionError("signing in answered " + entered.status());
    }
    return visitor;
  }

  Visitor with(String header, String value) {
    headers.put(header, value);
    return this;
  }

  Visitor withCookie(String name, String value) {
    cookies.put(name, value);
    return this;
  }

  String cookie(String name) {
    return cookies.getOrDefault(name, "");
  }

  Response get(String address) {
    return ask("GET", address, Map.of());
  }

  Response ask(String method, String address, Map<String, List<String>> form) {
    Map<String, String> sent = new HashMap<>(headers);
    List<String> pairs = new ArrayList<>();
    cookies.forEach((name, value) -> pairs.add(name + "=" + value));
    sent.put("cookie", String.join("; ", pairs));
    String[] parts = address.split("\\?", 2);
    Response response = console.answer(new Request(
        method,
        base + parts[0],
        sent,
        Parameters.decode(parts.length == 2 ? parts[1] : ""),
        form,
        "127.0.0.1",
        caller));
    response.headers().stream()
        .filter(header -> header.name().equals("Set-Cookie"))
        .map(header -> header.value().split(";", 2)[0].split("=", 2))
        .forEach(pair -> cookies.put(pair[0], pair[1]));
    return response;
  }

  /** Posts names and values. */
  Response post(String address, String... fields) {
    Map<String, List<String>> form = new HashMap<>();
    for (int i = 0; i < fields.length; i += 2) {
      form.computeIfAbsent(fields[i], it -> new ArrayList<>()).add(fields[i + 1]);
    }
    return ask("POST", address, form);
  }

  /** Posts with the CSRF token. */
  Response form(String address, String... fields) {
    List<String> all = new ArrayList<>(List.of(fields));
    all.addAll(List.of("csrf", csrf()));
    return followed(post(address, all.toArray(String[]::new)));
  }

  /** Follows a redirect to a dry run or its result, as a browser does. */
  private Response followed(Response response) {
    return response
        .header("Location")
        .filter(it -> it.startsWith(base + "/plans/"))
        .map(it -> get(it.substring(base.length())))
        .orElse(response);
  }

  String csrf() {
    return csrf(get("/consumers"));
  }

  static String csrf(Response page) {
    return found(CSRF, text(page));
  }

  static String plan(Response planned) {
    return found(PLAN, text(planned));
  }

  /** Plans an action. */
  Response planned(String action, String... fields) {
    List<String> all = new ArrayList<>(List.of(fields));
    all.addAll(List.of("step", "plan"));
    return form("/actions/" + action, all.toArray(String[]::new));
  }

  /** Executes the plan of a dry run. */
  Response confirmed(String action, Response dryRun) {
    return form("/actions/" + action, "step", "execute", "plan", plan(dryRun));
  }

  /** Plans an action and executes the plan. */
  Response execute(String action, String... fields) {
    return confirmed(action, planned(action, fields));
  }

  static String found(String pattern, String text) {
    return found(Pattern.compile(pattern), text);
  }

  private static String found(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.find()) {
      throw new AssertionError("there is no " + pattern + " in " + text);
    }
    return matcher.group(1);
  }

  static String text(Response response) {
    return new String(response.body().toByteArray(), StandardCharsets.UTF_8);
  }
}
