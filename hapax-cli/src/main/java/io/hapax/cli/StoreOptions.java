package io.hapax.cli;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.jdbc.JdbcDedupStore;
import io.hapax.redis.RedisDedupStore;
import io.hapax.redis.RedisDedupStoreBuilder;
import io.hapax.store.DedupStore;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options for the store of the marks. */
final class StoreOptions {

  private static final String CLUSTER = "redis-cluster://";
  private static final List<String> SCHEMES = List.of(
      "redis://",
      "rediss://",
      "redis-sentinel://",
      "rediss-sentinel://",
      "redis-socket://",
      CLUSTER,
      "jdbc:postgresql:",
      "jdbc:mariadb:",
      "jdbc:h2:");
  private static final Duration REPLICA_PATIENCE = Duration.ofSeconds(5);

  @Option(
      names = "--store",
      required = true,
      paramLabel = "URL",
      description = {
        "The store of the marks, without credentials:",
        "redis://host:6379, rediss://host:6379 with TLS,",
        "redis-sentinel://host:26379,host:26379#master,",
        "redis-cluster://host:6379,host:6379,",
        "jdbc:postgresql://host/database, jdbc:h2:file,",
        "jdbc:mariadb://host/database (also for MySQL)."
      })
  private String url;

  @Option(names = "--store-user", paramLabel = "USER", description = "The store's user.")
  private @Nullable String user;

  @Option(
      names = "--store-password-env",
      paramLabel = "VARIABLE",
      description = "The environment variable that holds the password.")
  private @Nullable String passwordVariable;

  @Option(
      names = "--store-password-file",
      paramLabel = "FILE",
      description = "The file whose first line is the password.")
  private @Nullable Path passwordFile;

  @Option(
      names = "--store-table",
      paramLabel = "TABLE",
      defaultValue = "hapax_marks",
      description = "The table of marks in a database (${DEFAULT-VALUE}).")
  private String table;

  @Option(
      names = "--store-namespace",
      paramLabel = "NAME",
      defaultValue = "hapax",
      description = "Redis: the namespace (${DEFAULT-VALUE}).")
  private String namespace;

  @Option(
      names = "--store-shards",
      paramLabel = "N",
      description = "Redis: the number of shards, if the service sets it.")
  private @Nullable Integer shards;

  @Option(
      names = "--store-compact",
      paramLabel = "MARKS",
      description = "Redis: the expected marks of a compact store, as the service sets them.")
  private @Nullable Long compact;

  @Option(
      names = "--store-retention",
      paramLabel = "TIME",
      description = "Redis: the retention of DONE marks, as the service sets it (8d).")
  private @Nullable Duration retention;

  @Option(
      names = "--store-replicas",
      paramLabel = "N",
      defaultValue = "0",
      description = "Redis: the number of replicas that must have a reopened mark, with a wait"
          + " of five seconds at most"
          + " (${DEFAULT-VALUE}).")
  private int replicas;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /** A store with its connections. Closing it closes both. */
  record Opened(DedupStore store, AutoCloseable below) implements AutoCloseable {
    @Override
    public void close() throws Exception {
      store.close();
      below.close();
    }
  }

  /** Returns the address without its parameters, because they may contain secrets. */
  String description() {
    return url.split("[?;]", 2)[0];
  }

  /** Opens the store, read-only unless {@code writes}. An empty Redis that is read stays empty. */
  Opened open(int connections, boolean writes) {
    refuseCredentials();
    if (SCHEMES.stream().noneMatch(url::startsWith)) {
      throw misuse("--store is " + description() + " but must begin with one of "
          + String.join(", ", SCHEMES) + "; MySQL has jdbc:mariadb:");
    } else if (url.startsWith("jdbc:")) {
      return database(connections);
    }
    return new Opened(writes ? redis().build() : redis().buildReadOnly(), () -> {});
  }

  /**
   * Refuses credentials, because every user of the machine can read a command line. The message
   * does not repeat them.
   */
  private void refuseCredentials() {
    String lower = url.toLowerCase(Locale.ROOT);
    String address = lower.startsWith("jdbc:") ? lower.split("[?;]", 2)[0] : lower;
    boolean inAddress = address.contains("@") && !lower.startsWith("jdbc:h2:"); // a folder's name
    if (inAddress || lower.contains("password=")) {
      throw misuse(
          "--store must not contain credentials: use --store-user and --store-password-env or"
              + " --store-password-file");
    }
    if (passwordVariable != null && passwordFile != null) {
      throw misuse("--store-password-env and --store-password-file exclude each other");
    }
  }

  private Opened database(int connections) {
    HikariDataSource pool = new HikariDataSource();
    try {
      pool.setJdbcUrl(url);
      if (user != null) {
        pool.setUsername(user);
      }
      String password = password();
      if (password != null) {
        pool.setPassword(password);
      }
      pool.setMaximumPoolSize(connections);
      pool.setConnectionTimeout(Duration.ofSeconds(10).toMillis());
      return new Opened(
          JdbcDedupStore.builder(pool)
              .table(table)
              .leasedOnly()
              .noBackgroundPurge()
              .build(),
          pool);
    } catch (RuntimeException | Error e) {
      pool.close();
      throw e;
    }
  }

  private RedisDedupStoreBuilder redis() {
    RedisDedupStoreBuilder builder = url.startsWith(CLUSTER)
        ? RedisDedupStore.clusterBuilder(nodes())
        : RedisDedupStore.builder(withCredentials(RedisURI.create(url)));
    builder.namespace(namespace).replicas(replicas, REPLICA_PATIENCE);
    if (shards != null) {
      builder.shards(shards);
    }
    if (compact != null) {
      builder.compact(compact);
    }
    if (retention != null) {
      builder.retention(retention);
    }
    return builder;
  }

  private List<RedisURI> nodes() {
    return Arrays.stream(url.substring(CLUSTER.length()).split(",", -1))
        .map(node -> withCredentials(RedisURI.create("redis://" + node)))
        .toList();
  }

  /** Changes the address itself, because a copy has no Sentinels. */
  private RedisURI withCredentials(RedisURI uri) {
    String password = password();
    if (user != null) {
      uri.setAuthentication(user, password == null ? "" : password);
    } else if (password != null) {
      uri.setAuthentication(password);
    }
    return uri;
  }

  private @Nullable String password() {
    if (passwordVariable != null) {
      String value = System.getenv(passwordVariable);
      if (value == null) {
        throw misuse("--store-password-env is " + passwordVariable + " but that is not set");
      }
      return value;
    } else if (passwordFile != null) {
      try (var lines = Files.lines(passwordFile)) {
        return lines.findFirst().orElse("");
      } catch (IOException e) {
        throw misuse("--store-password-file is " + passwordFile + " but cannot be read: " + e);
      }
    }
    return null;
  }

  private ParameterException misuse(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
