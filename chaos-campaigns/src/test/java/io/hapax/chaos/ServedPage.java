package io.hapax.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.console.trial.TrialAction;
import io.hapax.console.trial.TrialLane;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The page of the live demo, as a browser without scripts uses it. */
final class ServedPage {

  private static final Pattern CSRF = Pattern.compile("name=\"csrf\" value=\"([^\"]+)\"");
  private static final Pattern TOTALS = Pattern.compile(
      "([\\d,]+) orders: ([\\d,]+) booked once, ([\\d,]+) more than once, ([\\d,]+) waiting");
  private static final Pattern PID = Pattern.compile("class=\"pid quiet\">(\\d+)</span>");
  private static final Pattern PART =
      Pattern.compile("<p class=\"part ([^\"]+)\"><b>[^<]+</b>(.*?)</p>", Pattern.DOTALL);

  private final HttpClient http =
      HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
  private final URI address;

  /** The totals of a lane, as the page shows them. */
  record Totals(long orders, long once, long more, long waiting) {}

  /** What came of the newest action in a lane: the classes of its result, and its steps. */
  record Part(String level, String steps) {}

  ServedPage(URI address) {
    this.address = address;
  }

  /** Opens the address that signs in, and returns where it leads to. */
  String signIn(URI signIn) throws IOException, InterruptedException {
    HttpResponse<String> entered =
        http.send(HttpRequest.newBuilder(signIn).build(), HttpResponse.BodyHandlers.ofString());
    return entered.headers().firstValue("Location").orElse("refused");
  }

  private HttpResponse<String> post(String path, String form)
      throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(address.resolve(path))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("Origin", address.toString())
            .POST(HttpRequest.BodyPublishers.ofString(form))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private String get(String path) throws IOException, InterruptedException {
    HttpResponse<String> page = http.send(
        HttpRequest.newBuilder(address.resolve(path)).build(),
        HttpResponse.BodyHandlers.ofString());
    assertThat(page.statusCode()).as(path).isEqualTo(200);
    return page.body();
  }

  String trial() throws IOException, InterruptedException {
    return get("/trial");
  }

  /** Presses a button, and returns the status of the answer. */
  int press(TrialAction action) throws IOException, InterruptedException {
    Matcher csrf = CSRF.matcher(trial());
    assertThat(csrf.find()).isTrue();
    String token = URLEncoder.encode(csrf.group(1), StandardCharsets.UTF_8);
    return post("/trial", "csrf=" + token + "&action=" + action).statusCode();
  }

  Totals totals(TrialLane lane) throws IOException, InterruptedException {
    String page = trial();
    int begin = page.indexOf("id=\"lane-" + lane);
    assertThat(begin).as(page).isPositive();
    Matcher found = TOTALS.matcher(page);
    assertThat(found.find(begin)).as(page).isTrue();
    return new Totals(
        number(found.group(1)),
        number(found.group(2)),
        number(found.group(3)),
        number(found.group(4)));
  }

  /** Returns what came of the newest action, first with Hapax, then of the plain loop. */
  List<Part> newestStory() throws IOException, InterruptedException {
    return PART.matcher(trial())
        .results()
        .limit(2)
        .map((MatchResult it) -> new Part(it.group(1), it.group(2)))
        .toList();
  }

  private static long number(String text) {
    return Long.parseLong(text.replace(",", ""));
  }

  /** Returns the ids of the consumer processes. */
  List<Long> pids() throws IOException, InterruptedException {
    return PID.matcher(trial())
        .results()
        .map((MatchResult it) -> Long.parseLong(it.group(1)))
        .toList();
  }

  /** Returns the newest value of a figure of the view Now. */
  long figure(String name) throws IOException, InterruptedException {
    get("/now"); // reads the figures
    Matcher values =
        Pattern.compile('"' + name + "\":\\[([^]]+)]").matcher(get("/now/series.json"));
    assertThat(values.find()).as(name).isTrue();
    String newest = values.group(1).substring(values.group(1).lastIndexOf(',') + 1);
    return newest.equals("null") ? -1 : (long) Double.parseDouble(newest);
  }

  /** Returns the action log, as the console shows it. */
  String log() throws IOException, InterruptedException {
    return get("/consumers");
  }
}
