package io.hapax.spring.console;

import static io.hapax.spring.console.MountedConsole.PATH;
import static io.hapax.spring.console.MountedConsole.hidden;
import static org.awaitility.Awaitility.await;

import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;

/** A user who runs actions in the console of the consumer billing, and waits for their jobs. */
final class ConsoleUser {

  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final String CONSOLE = PATH + "/billing";

  private final MountedConsole console;
  private final String name;

  /** Makes a user with a role, as {@code ann operator}, or without one. */
  ConsoleUser(MountedConsole console, String name) {
    this.console = console;
    this.name = name;
  }

  /** Returns a page. */
  HttpResponse<String> get(String path) throws Exception {
    return console.get(CONSOLE + path, name);
  }

  /** Posts names and values with the CSRF token of the user. */
  HttpResponse<String> post(String action, String... fields) throws Exception {
    StringBuilder form =
        new StringBuilder("csrf=" + hidden("csrf", get("/replay").body()));
    for (int i = 0; i < fields.length; i += 2) {
      form.append('&')
          .append(fields[i])
          .append('=')
          .append(URLEncoder.encode(fields[i + 1], StandardCharsets.UTF_8));
    }
    return console.post(CONSOLE + "/actions/" + action, name, form.toString());
  }

  /** Plans an action, and returns the page of the plan once its job has ended. */
  String plan(String action, String... fields) throws Exception {
    String[] all = new String[fields.length + 2];
    System.arraycopy(fields, 0, all, 0, fields.length);
    all[fields.length] = "step";
    all[fields.length + 1] = "plan";
    return ended(post(action, all));
  }

  /** Executes what a page has planned, and returns the page of the result. */
  String execute(String action, String planned) throws Exception {
    return ended(post(action, "step", "execute", "plan", hidden("plan", planned)));
  }

  /** Starts an audit, and returns its page once it has ended. */
  String audit(String topic) throws Exception {
    return ended(post("audit", "topic", topic, "from", "beginning"));
  }

  String search(String topic, String id) throws Exception {
    String bytes = HexFormat.of().formatHex(id.getBytes(StandardCharsets.UTF_8));
    return ended(post("search", "topic", topic, "bytes", "0x" + bytes));
  }

  private String ended(HttpResponse<String> answer) throws Exception {
    if (answer.statusCode() != 303) {
      return answer.body();
    }
    String job = answer.headers().firstValue("Location").orElseThrow();
    return await()
        .atMost(BOUND)
        .until(() -> console.get(job, name).body(), page -> !page.contains("data-reload"));
  }
}
