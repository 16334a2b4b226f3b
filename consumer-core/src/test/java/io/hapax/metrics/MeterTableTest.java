package io.hapax.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Operators read the table, not the code: both say the same. */
class MeterTableTest {

  /** Name, type, tags, unit and, of the rest of the row, that there is something. */
  private static final Pattern ROW = Pattern.compile(
      "(?m)^\\| `(hapax\\.[a-z.]+)` \\| (\\w+) \\| ([^|]+) \\| (\\w+) \\| [^|]{9,} \\| [^|]{9,} \\|$");

  private static final Map<Meter.Type, String> TYPES =
      Map.of(Meter.Type.DISTRIBUTION_SUMMARY, "summary");

  @Test
  void the_table_lists_every_meter_and_no_other() throws IOException {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    new MicrometerReceiverListener(registry, "billing");
    new MicrometerStoreListener(registry, "orders-db");
    MicrometerReceiverHealth.bind(registry, "billing");
    MicrometerPartitions.bind(registry, "billing", List::of);

    Set<String> registered = registry.getMeters().stream()
        .map(Meter::getId)
        .filter(id -> !id.getName().endsWith(".histogram")) // the buckets of a timer in the table
        .map(MeterTableTest::row)
        .collect(Collectors.toCollection(TreeSet::new));

    assertThat(documented()).containsExactlyElementsOf(registered);
  }

  private static String row(Meter.Id id) {
    String type = TYPES.getOrDefault(id.getType(), id.getType().name().toLowerCase(Locale.ROOT));
    Set<String> tags =
        id.getTags().stream().map(Tag::getKey).collect(Collectors.toCollection(TreeSet::new));
    return id.getName() + " " + type + " " + tags + " " + id.getBaseUnit();
  }

  private static Set<String> documented() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "observability.md"));
    return ROW.matcher(page)
        .results()
        .map(it -> it.group(1) + " " + it.group(2) + " " + tags(it.group(3)) + " " + it.group(4))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> tags(String cell) {
    return Pattern.compile("`(\\w+)`")
        .matcher(cell)
        .results()
        .map(tag -> tag.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
