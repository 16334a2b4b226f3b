package io.hapax.spring.console;

import static org.awaitility.Awaitility.await;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.mark.Resolution;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.operations.redrive.MarkOperations;
import io.hapax.spring.HapaxProperties.Consumer;
import io.hapax.spring.LeftOut;
import io.hapax.spring.Text;
import io.hapax.spring.listener.Receivers;
import io.hapax.spring.rocketmq.Broker;
import io.hapax.store.InMemoryDedupStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The console of an application in an embedded Tomcat, and its browser. */
final class MountedConsole implements AutoCloseable {

  static final String PATH = "/actuator/hapaxconsole";

  /** The password of each user, where the application wants one. */
  static final String PASSWORD = "secret";

  private static final Pattern HIDDEN = Pattern.compile("name=\"(\\w+)\"[^>]*value=\"([^\"]+)\"");

  private final HttpClient client = HttpClient.newHttpClient();
  private final ConfigurableApplicationContext context;
  private final String port;

  private MountedConsole(ConfigurableApplicationContext context, String port) {
    this.context = context;
    this.port = port;
  }

  /** Starts an application with the consumer billing, which knows users by a header. */
  static MountedConsole start(String... properties) {
    List<String> all = new ArrayList<>(List.of(properties));
    all.add("--spring.autoconfigure.exclude=" + LeftOut.DATABASE + "," + LeftOut.SECURITY);
    MountedConsole console = start(List.of(ConsoleApplication.class), all);
    console.listenAs("billing");
    return console;
  }

  /** Starts an application. */
  static MountedConsole start(List<Class<?>> sources, List<String> properties) {
    ConfigurableApplicationContext context = new SpringApplicationBuilder(
            sources.toArray(Class<?>[]::new))
        .properties(
            "server.port=0",
            "spring.main.banner-mode=off",
            "logging.level.root=warn",
            "hapax.console.enabled=true",
            "management.endpoints.web.exposure.include=hapaxconsole",
            "management.endpoints.jmx.exposure.exclude=*")
        .run(properties.toArray(String[]::new));
    String management = context.getEnvironment().getProperty("local.management.port");
    String own = context.getEnvironment().getRequiredProperty("local.server.port");
    return new MountedConsole(context, management == null ? own : management);
  }

  /** Returns the properties of a console in which users with the role operator may write. */
  static List<String> writable(Path folder) {
    return List.of(
        "--hapax.console.allow-writes=true",
        "--hapax.console.role=operator",
        "--hapax.console.action-log=" + folder.resolve("actions-{consumer}.jsonl"));
  }

  /** Returns the same, of an application on RocketMQ. */
  static List<String> onRocketMq(Path folder) {
    List<String> properties = new ArrayList<>(writable(folder));
    properties.add("--spring.autoconfigure.exclude=" + LeftOut.DATABASE + "," + LeftOut.SECURITY);
    properties.add("--rocketmq.name-server=" + Broker.nameServer());
    return properties;
  }

  /** Returns a bean of the application. */
  <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  void listenAs(String consumer) {
    var unused = Text.open(
        context.getBean(Receivers.class),
        Text.settings(consumer, Consumer.DEFAULT),
        delivery -> {});
  }

  InMemoryDedupStore store() {
    return context.getBean(InMemoryDedupStore.class);
  }

  /** Writes the mark of a message that failed for good. */
  void kill(String id) {
    Origin origin = new Origin("shop-7-4711/billing", "orders-0@17");
    Claim claim = claim(MessageKey.of("billing", id), origin, Duration.ofMinutes(1));
    var unused = store().settle(List.of(new Settlement(claim, new Verdict.Dead("no account"))));
  }

  /**
   * Claims a message that is done, as a consumer does that dies at once. The broker does not
   * deliver it again.
   */
  void abandon(Claim done) {
    String id = done.key().id().toString();
    if (new MarkOperations(store(), "billing")
        .resolve(id, Resolution.REOPEN_ANY_PAYLOAD)
        .isPresent()) {
      throw new AssertionError(id + " is not done");
    }
    var unused = claim(done.key(), done.origin(), Duration.ofNanos(1));
  }

  /** Claims a message as a consumer does that dies at once. */
  void leaveOpen(String id, Origin origin) {
    var unused = claim(MessageKey.of("billing", id), origin, Duration.ofNanos(1));
  }

  private Claim claim(MessageKey key, Origin origin, Duration lease) {
    ClaimRequest request = new ClaimRequest(
        key,
        new Nonce(7, key.hashCode()),
        Fingerprint.NONE,
        origin,
        new ClaimTerms(false, true, ClaimTerms.ANY_TIME));
    return ((Acquired) store().claim(List.of(request), lease).get(0)).claim();
  }

  MarkState state(String id) {
    return store()
        .find(List.of(MessageKey.of("billing", id)))
        .get(0)
        .orElseThrow()
        .state();
  }

  /** Waits for the state of a mark. */
  void awaitState(String id, MarkState state) {
    MarkOperations marks = new MarkOperations(store(), "billing");
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> marks.find(id).filter(it -> it.state() == state).isPresent());
  }

  private HttpRequest.Builder request(String path, String user) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(address(path))).timeout(Duration.ofSeconds(60));
    return user.isEmpty()
        ? request
        : request.header("X-User", user).header("Authorization", basic(user));
  }

  /** Returns the header of HTTP basic for a user, whose password is that of all users. */
  private static String basic(String user) {
    String credentials = user.split(" ", 2)[0] + ":" + PASSWORD;
    return "Basic "
        + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
  }

  private String address(String path) {
    return "http://localhost:" + port + path;
  }

  HttpResponse<String> get(String path, String user) throws IOException, InterruptedException {
    return client.send(request(path, user).build(), BodyHandlers.ofString());
  }

  /** Sends a path that {@link URI} refuses, as the user bob, and returns the first line. */
  String raw(String path) throws IOException {
    try (Socket socket = new Socket("localhost", Integer.parseInt(port))) {
      socket
          .getOutputStream()
          .write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nX-User: bob\r\n\r\n")
              .getBytes(StandardCharsets.US_ASCII));
      return new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
          .readLine();
    }
  }

  /** Opens an event stream. */
  HttpResponse<java.util.stream.Stream<String>> open(String path, String user)
      throws IOException, InterruptedException {
    return client.send(request(path, user).build(), BodyHandlers.ofLines());
  }

  /** Posts a form, and follows the redirect to a dry run or its result. */
  HttpResponse<String> post(String path, String user, String form)
      throws IOException, InterruptedException {
    HttpResponse<String> answer = client.send(
        request(path, user)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(form))
            .build(),
        BodyHandlers.ofString());
    String page = answer.headers().firstValue("Location").orElse("");
    return page.contains("/plans/") ? get(page, user) : answer;
  }

  /** Returns the CSRF token of a user who may change the mark of a message. */
  String token(String id, String user) throws IOException, InterruptedException {
    return hidden("csrf", get(PATH + "/billing/id?id=" + id, user).body());
  }

  /** Plans an action with a CSRF token. */
  HttpResponse<String> plan(String action, String id, String user, String token)
      throws IOException, InterruptedException {
    return post(PATH + "/billing/actions/" + action, user, "csrf=" + token + "&step=plan&id=" + id);
  }

  /** Executes what was planned. */
  HttpResponse<String> execute(String action, HttpResponse<String> planned, String user)
      throws IOException, InterruptedException {
    return post(
        PATH + "/billing/actions/" + action,
        user,
        "csrf=" + hidden("csrf", planned.body()) + "&step=execute&plan="
            + hidden("plan", planned.body()));
  }

  static String hidden(String name, String page) {
    Matcher fields = HIDDEN.matcher(page);
    while (fields.find()) {
      if (fields.group(1).equals(name)) {
        return fields.group(2);
      }
    }
    throw new AssertionError("there is no field " + name + " in " + page);
  }

  @Override
  public void close() {
    context.close();
  }
}
