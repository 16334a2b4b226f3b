package io.hapax.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.hapax.servers.LocalServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The dashboard and the alerts fit a real service, and each alert has a runbook. */
class MonitoringTest extends ServiceProcesses {

  private static final Path FOLDER = Path.of("..", "docs", "monitoring");
  private static final Pattern SECTION = Pattern.compile("(?m)^## (Hapax\\w+)$");

  @Override
  List<String> program() {
    return List.of("-cp", System.getProperty("java.class.path"), ServiceCommand.class.getName());
  }

  @Test
  void every_metric_and_label_of_an_expression_is_exposed_by_a_service() throws Exception {
    try (LocalServer broker = start(BrokerKind.KAFKA)) {
      Process service = startHealthy();
      send("order-1", "order-1");
      awaitSettled(2);
      Exposition exposed = Exposition.of(scrape());
      endWhenSettled(service, 2);

      List<Expression> expressions = new ArrayList<>(alerts());
      expressions.addAll(dashboard());
      assertThat(expressions).hasSizeGreaterThan(30).allMatch(Expression::readsMeters);
      assertThat(expressions).flatExtracting(it -> it.unknown(exposed)).isEmpty();
    }
  }

  @Test
  void every_alert_leads_to_its_section_and_every_section_has_an_alert() throws IOException {
    List<String> names = new ArrayList<>();
    for (JsonNode rule : rules()) {
      String name = rule.get("alert").asText();
      names.add(name);
      assertThat(rule.at("/annotations/runbook_url").asText())
          .endsWith("/docs/monitoring/README.md#" + name.toLowerCase(Locale.ROOT));
    }
    String page = Files.readString(FOLDER.resolve("README.md"));
    assertThat(SECTION.matcher(page).results().map(it -> it.group(1)))
        .containsExactlyElementsOf(names);
  }

  @Test
  void a_partition_that_waits_by_plan_raises_no_critical_alert() throws IOException {
    for (JsonNode rule : rules()) {
      String expression = rule.get("expr").asText();
      if (expression.contains("hapax_receiver_problems")
          && rule.at("/labels/severity").asText().equals("critical")) {
        assertThat(expression).contains("kind!=\"partition_waiting\"");
      }
    }
  }

  private static List<Expression> alerts() throws IOException {
    List<Expression> expressions = new ArrayList<>();
    for (JsonNode rule : rules()) {
      expressions.add(new Expression(
          rule.get("alert").asText(),
          rule.get("expr").asText(),
          rule.at("/annotations/summary").asText()));
    }
    return expressions;
  }

  private static JsonNode rules() throws IOException {
    JsonNode groups =
        new YAMLMapper().readTree(FOLDER.resolve("hapax-alerts.yml").toFile());
    return groups.at("/groups/0/rules");
  }

  private static List<Expression> dashboard() throws IOException {
    JsonNode dashboard =
        new JsonMapper().readTree(FOLDER.resolve("hapax-dashboard.json").toFile());
    List<Expression> expressions = new ArrayList<>();
    for (JsonNode panel : dashboard.get("panels")) {
      for (JsonNode target : panel.path("targets")) {
        expressions.add(new Expression(
            panel.get("title").asText(),
            target.get("expr").asText(),
            target.get("legendFormat").asText()));
      }
    }
    for (JsonNode variable : dashboard.at("/templating/list")) {
      if (variable.get("type").asText().equals("query")) {
        expressions.add(new Expression(
            variable.get("name").asText(), variable.at("/query/query").asText(), ""));
      }
    }
    return expressions;
  }

  /**
   * An expression of a dashboard or an alert.
   *
   * @param place the panel or the alert
   * @param text PromQL, or a query of a variable of Grafana
   * @param shown a text with labels of the result
   */
  record Expression(String place, String text, String shown) {

    /** Labels that Prometheus adds when it scrapes. */
    private static final Set<String> SCRAPED = Set.of("job", "instance");

    private static final Pattern SELECTOR = Pattern.compile("\\b(hapax_\\w+)(?:\\{([^}]*)})?");
    private static final Pattern MATCHER =
        Pattern.compile("(\\w+)\\s*(?:=~|!~|!=|=)\\s*\"([^\"]*)\"");
    private static final Pattern GROUPING =
        Pattern.compile("\\b(?:by|on) \\(([^)]*)\\)|label_values\\(.*, (\\w+)\\)");
    private static final Pattern SHOWN = Pattern.compile("\\{\\{\\s*(?:\\$labels\\.)?(\\w+)\\s*}}");

    /** Returns what the service does not expose; empty if the expression fits. */
    List<String> unknown(Exposition service) {
      List<String> unknown = new ArrayList<>();
      Set<String> known = new TreeSet<>(SCRAPED);
      Matcher selector = SELECTOR.matcher(text);
      while (selector.find()) {
        Map<String, Set<String>> labels = service.labels().get(selector.group(1));
        if (labels == null) {
          unknown.add("metric " + selector.group(1));
        } else {
          known.addAll(labels.keySet());
          unknown.addAll(unknownValues(selector.group(2), labels));
        }
      }
      groupings().stream()
          .filter(it -> !known.contains(it))
          .forEach(it -> unknown.add("label " + it));
      labels(SHOWN, shown).stream()
          .filter(it -> !groupings().contains(it))
          .forEach(it -> unknown.add("label " + it + " in " + shown));
      return unknown.stream().map(it -> place + ": " + it).toList();
    }

    private static List<String> unknownValues(String matchers, Map<String, Set<String>> labels) {
      List<String> unknown = new ArrayList<>();
      Matcher matcher = MATCHER.matcher(matchers == null ? "" : matchers);
      while (matcher.find()) {
        String label = matcher.group(1);
        if (!SCRAPED.contains(label) && !labels.containsKey(label)) {
          unknown.add("label " + label);
        } else if (!matcher.group(2).startsWith("$")) {
          List.of(matcher.group(2).split("\\|")).stream()
              .filter(value -> !labels.getOrDefault(label, Set.of()).contains(value))
              .forEach(value -> unknown.add("value " + value + " of " + label));
        }
      }
      return unknown;
    }

    private Set<String> groupings() {
      return labels(GROUPING, text);
    }

    /** Returns the labels of the groups of a pattern. */
    private static Set<String> labels(Pattern pattern, String text) {
      return pattern
          .matcher(text)
          .results()
          .map(it -> it.group(1) != null ? it.group(1) : it.group(2))
          .flatMap(list -> List.of(list.split(",\\s*")).stream())
          .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns whether the expression reads a meter of Hapax. */
    boolean readsMeters() {
      return SELECTOR.matcher(text).find();
    }
  }

  /**
   * The series of a service, as Prometheus reads them.
   *
   * @param labels the values by metric and label
   */
  record Exposition(Map<String, Map<String, Set<String>>> labels) {

    private static final Pattern SERIES = Pattern.compile("(?m)^(\\w+)(?:\\{(.*)})? \\S+$");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

    /** Reads the text format. */
    static Exposition of(String text) {
      Map<String, Map<String, Set<String>>> labels = new TreeMap<>();
      SERIES.matcher(text).results().forEach(series -> {
        Map<String, Set<String>> values =
            labels.computeIfAbsent(series.group(1), it -> new TreeMap<>());
        if (series.group(2) != null) {
          LABEL
              .matcher(series.group(2))
              .results()
              .forEach(label -> values
                  .computeIfAbsent(label.group(1), it -> new TreeSet<>())
                  .add(label.group(2)));
        }
      });
      return new Exposition(labels);
    }
  }
}
