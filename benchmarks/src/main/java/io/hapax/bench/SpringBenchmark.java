package io.hapax.bench;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Measures Spring Kafka listeners on a real broker. Each reads the same topic from its beginning in
 * a group of its own, and all take turns. Committed records count.
 */
final class SpringBenchmark {

  private final SpringSetup setup;
  private final PrintWriter progress;
  private int groups;

  SpringBenchmark(SpringSetup setup, PrintWriter progress) {
    this.setup = setup;
    this.progress = progress;
  }

  /** Returns the records a second of each subject. */
  Map<SpringSubject, Spread> run() throws Exception {
    Map<SpringSubject, List<Double>> rates = new EnumMap<>(SpringSubject.class);
    try (SpringServers servers = new SpringServers()) {
      servers.fill(setup);
      for (int round = 1 - setup.length().warmUps(); round <= setup.length().rounds(); round++) {
        for (SpringSubject subject : SpringSubject.values()) {
          double rate = rate(servers, subject);
          if (round > 0) {
            rates.computeIfAbsent(subject, same -> new ArrayList<>()).add(rate);
          }
        }
        progress.println("bench: round " + round + " of " + setup.length().rounds());
        progress.flush();
      }
    }
    Map<SpringSubject, Spread> spreads = new EnumMap<>(SpringSubject.class);
    rates.forEach((subject, values) -> spreads.put(subject, Spread.of(values)));
    return spreads;
  }

  private double rate(SpringServers servers, SpringSubject subject) throws Exception {
    servers.clear();
    String group = "bench-" + ++groups;
    try (ConfigurableApplicationContext application =
        SpringApplicationRun.start(servers, subject, group, setup.concurrency())) {
      return new CommittedOffsets(
              group, setup.partitions(), setup.skipped(subject), setup.messages())
          .rate(servers.bootstrapServers(), setup.length().limit());
    }
  }
}
