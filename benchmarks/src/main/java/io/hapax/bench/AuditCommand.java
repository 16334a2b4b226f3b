package io.hapax.bench;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.bench.AuditBenchmark.Rates;
import io.hapax.jdbc.JdbcDedupStore;
import io.hapax.redis.RedisDedupStore;
import io.hapax.servers.LocalKafka;
import io.hapax.servers.LocalPostgres;
import io.hapax.servers.LocalRedis;
import io.hapax.store.DedupStore;
import io.lettuce.core.RedisURI;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures the audit of a Kafka topic. */
@Command(
    name = "audit",
    sortOptions = false,
    description = {
      "Measures the audit of a topic on a real Kafka broker against DONE marks in a real store,"
          + " and compares it with a bare poll loop over the same topic.",
      ""
    })
final class AuditCommand implements Callable<Integer> {

  private static final double AIM = 150_000;

  /** The stores of the measurement. */
  enum Marks {
    /** Redis. */
    REDIS,
    /** PostgreSQL. */
    POSTGRES
  }

  @Option(
      names = "--records",
      paramLabel = "N",
      defaultValue = "1000000",
      description = "Records in the topic (${DEFAULT-VALUE}).")
  private long records;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "Rounds that count, after one warm-up round (${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--store",
      paramLabel = "STORE",
      defaultValue = "redis",
      description = "${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
  private Marks marks;

  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Mixin
  private HelpOption help;

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    if (records < 1 || rounds < 1) {
      throw new ParameterException(spec.commandLine(), "--records and --rounds must be at least 1");
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println(Machine.text(Machine.description()));
    try (LocalKafka kafka = LocalKafka.builder()
        .jvmOption("-Xmx1g")
        .jvmOption("-XX:TieredStopAtLevel=4")
        .start()) {
      AuditTopic topic = new AuditTopic("audited", records);
      topic.produce(kafka);
      AuditBenchmark benchmark = new AuditBenchmark(topic, kafka.bootstrapServers(), rounds);
      Rates rates = switch (marks) {
        case REDIS -> onRedis(topic, benchmark);
        case POSTGRES -> onPostgres(topic, benchmark);
      };
      out.print(text(rates));
      out.flush();
    }
    return 0;
  }

  private static Rates onRedis(AuditTopic topic, AuditBenchmark benchmark) throws Exception {
    try (LocalRedis server = LocalRedis.start();
        DedupStore store =
            RedisDedupStore.builder(RedisURI.create(server.uri())).build()) {
      topic.mark(store);
      return benchmark.run(store);
    }
  }

  private static Rates onPostgres(AuditTopic topic, AuditBenchmark benchmark) throws Exception {
    try (LocalPostgres server = LocalPostgres.start();
        HikariDataSource pool = new HikariDataSource()) {
      pool.setJdbcUrl(server.jdbcUrl());
      pool.setUsername(server.username());
      pool.setPassword(server.password());
      pool.setMaximumPoolSize(8);
      try (DedupStore store = JdbcDedupStore.builder(pool)
          .createIfAbsent()
          .leasedOnly()
          .noBackgroundPurge()
          .build()) {
        topic.mark(store);
        return benchmark.run(store);
      }
    }
  }

  private String text(Rates rates) {
    return String.format(
        Locale.ROOT,
        "%,d records, marks in %s, median of %d rounds, load %.1f%n"
            + "  bare poll loop %,10.0f records/s%n"
            + "  audit          %,10.0f records/s, %.2f of the bare loop, aim %,.0f: %s%n",
        records,
        marks.name().toLowerCase(Locale.ROOT),
        rounds,
        Machine.load(),
        rates.bare(),
        rates.audit(),
        rates.ratio(),
        AIM,
        rates.audit() >= AIM ? "reached" : "MISSED");
  }
}
