package io.hapax.cli;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs {@code hapax console} on a free port, and asks it as a browser does. */
final class ServedConsole implements AutoCloseable {

  private static final Pattern ADDRESS = Pattern.compile("console: (http\\S+)/\n");
  private static final Pattern CSRF = Pattern.compile("name=\"csrf\"[^>]*value=\"([^\"]+)\"");
  private static final Pattern PLAN = Pattern.compile("name=\"plan\"[^>]*value=\"([^\"]+)\"");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Console console = new Console();
  private final CompletableFuture<Integer> code = new CompletableFuture<>();
  private final Thread thread;
  private final CookieManager cookies = new CookieManager();
  private final String address;
  private final String token;

  /** Starts the command in a folder, with more options. */
  ServedConsole(Path folder, String... options) throws Exception {
    List<String> typed = new ArrayList<>(List.of(
        "console --listen 127.0.0.1:0 --token-file",
        folder.resolve("token").toString(),
        "--action-log",
        folder.resolve("actions.jsonl").toString()));
    typed.addAll(List.of(options));
    this.thread =
        new Thread(() -> code.complete(console.run(typed.toArray(String[]::new))), "console");
    thread.start();
    this.address = awaitAddress();
    this.token = Files.readString(folder.resolve("token")).strip();
    if (post("/signin", "token", token).statusCode() != 200) {
      throw new AssertionError("the token signs nobody in");
    }
  }

  private String awaitAddress() {
    await()
        .pollInterval(Duration.ofMillis(10))
        .atMost(PATIENCE)
        .until(() -> code.isDone() || ADDRESS.matcher(console.out()).find());
    Matcher matcher = ADDRESS.matcher(console.out());
    if (!matcher.find()) {
      throw new AssertionError("it has not started: " + console.out() + console.err());
    }
    return matcher.group(1);
  }

  /** A new connection each time: a server may close an idle one while a form is on its way. */
  private HttpClient http() {
    return HttpClient.newBuilder()
        .cookieHandler(cookies)
        .followRedirects(HttpClient.Redirect.NORMAL)
        .build();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(address + path)).timeout(PATIENCE);
  }

  private HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return http().send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  String get(String path) throws IOException, InterruptedException {
    HttpResponse<String> answer = send(request(path));
    if (answer.statusCode() != 200) {
      throw new AssertionError(path + " answered " + answer.statusCode() + answer.body());
    }
    return answer.body();
  }

  /** Returns the figures as Prometheus reads them, with the token. */
  String metrics() throws IOException, InterruptedException {
    return send(request("/metrics").header("Authorization", "Bearer " + token)).body();
  }

  /** Posts names and values. */
  HttpResponse<String> post(String path, String... fields)
      throws IOException, InterruptedException {
    StringBuilder form = new StringBuilder();
    for (int i = 0; i < fields.length; i += 2) {
      form.append(i == 0 ? "" : "&")
          .append(fields[i])
          .append('=')
          .append(URLEncoder.encode(fields[i + 1], StandardCharsets.UTF_8));
    }
    return send(request(path)
        .header("Content-Type", "application/x-www-form-urlencoded")
        .POST(HttpRequest.BodyPublishers.ofString(form.toString())));
  }

  /** Posts a form of an action. */
  HttpResponse<String> act(String action, String... fields)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(Arrays.asList(fields));
    all.addAll(List.of("csrf", found(CSRF, get("/consumers"))));
    return post("/actions/" + action, all.toArray(String[]::new));
  }

  /** Asks for the dry run of an action. */
  HttpResponse<String> plan(String action, String... fields)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(Arrays.asList(fields));
    all.addAll(List.of("step", "plan"));
    return act(action, all.toArray(String[]::new));
  }

  /** Executes what a dry run has shown. */
  HttpResponse<String> execute(String action, HttpResponse<String> planned)
      throws IOException, InterruptedException {
    return act(action, "step", "execute", "plan", found(PLAN, planned.body()));
  }

  /** Waits for the job that an answer shows, and returns its page. */
  HttpResponse<String> ended(HttpResponse<String> started)
      throws IOException, InterruptedException {
    String path = started.uri().getPath();
    if (!path.startsWith("/jobs/")) {
      throw new AssertionError("no job was started: " + started.body());
    }
    String all = send(request(path + "/events")).body();
    if (!all.contains("event: end\n")) {
      throw new AssertionError("the job has not ended: " + all);
    }
    return send(request(path));
  }

  /** Returns the newest value of a curve. */
  static int last(JsonNode series, String name) {
    JsonNode values = series.path(name);
    return values.path(values.size() - 1).asInt(-1);
  }

  private static String found(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.find()) {
      throw new AssertionError("there is no " + pattern + " in " + text);
    }
    return matcher.group(1);
  }

  /** Stops the command. */
  @Override
  public void close() throws Exception {
    thread.interrupt();
    int answer = code.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    if (answer != 0) {
      throw new AssertionError("it ended with " + answer + ": " + console.err());
    }
  }
}
