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
import java.util.regex.Pattern;
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
}
