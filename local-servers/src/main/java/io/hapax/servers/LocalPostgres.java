package io.hapax.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.postgresql.Driver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A real PostgreSQL server, run from the binaries of a Maven artifact.
 *
 * <pre>{@code
 * try (LocalPostgres postgres = LocalPostgres.start()) {
 *   String url = postgres.createDatabase("orders");
 *   ... DriverManager.getConnection(url, postgres.username(), postgres.password()) ...
 * }
 * }</pre>
 *
 * <p>PostgreSQL refuses to run as root. So the server gets a user namespace where the machine
 * allows that. Otherwise, if this JVM runs as root, the server gets another user's id.
 */
public final class LocalPostgres extends LocalDatabase {

  private static final Logger LOG = LoggerFactory.getLogger(LocalPostgres.class);
  private static final String OWN = "postgres";

  private final PostgresUser user;
  private final Path programs = Binaries.postgres().resolve("bin");

  private LocalPostgres(Builder<LocalPostgres> builder, PostgresUser user) {
    super(
        "PostgreSQL", builder, new Dialect(new Driver(), "jdbc:postgresql://", 1, "\"", OWN, OWN));
    this.user = user;
  }

  /** Starts a durable server. */
  public static LocalPostgres start() {
    return builder().start();
  }

  /** Returns a builder with the settings of a durable server. */
  public static Builder<LocalPostgres> builder() {
    return builder(PostgresUser.best(PostgresUser.usable()));
  }

  static Builder<LocalPostgres> builder(PostgresUser user) {
    return new Builder<>("postgres", it -> new LocalPostgres(it, user));
  }

  /** Returns the JDBC URL of the database {@code postgres}. It never changes. */
  public String jdbcUrl() {
    return jdbcUrl(OWN);
  }

  @Override
  ProcessBuilder program() throws IOException {
    Path data = directory().data();
    if (!Files.exists(data)) {
      initialise(data);
    }
    Map<String, String> settings = Resources.settings("io/hapax/servers/postgres.properties");
    settings.put("port", Integer.toString(port()));
    List<String> command =
        new ArrayList<>(List.of(programs.resolve("postgres").toString(), "-D", data.toString()));
    withUserSettings(settings)
        .forEach((name, value) -> command.addAll(List.of("-c", name + '=' + value)));
    return asUser(command);
  }

  /**
   * Returns the signal of a fast or an immediate shutdown. Both end all sessions and release shared
   * memory. The fast one also writes a checkpoint.
   */
  @Override
  String endSignal(boolean dataAreKept) {
    return dataAreKept ? "INT" : "QUIT";
  }

  /**
   * Releases the System V shared memory of a killed server: a few bytes, but the machine has few
   * such segments. The last number in the seventh line of the lock file is the segment. After a
   * normal shutdown there is no lock file. A server that the watchdog killed keeps its segment.
   */
  @Override
  void forget() {
    Path lockFile = directory().data().resolve("postmaster.pid");
    if (!user.sharesMemory() || !Files.exists(lockFile)) {
      return;
    }
    try {
      List<String> lines = Files.readAllLines(lockFile);
      String[] keyAndId =
          lines.size() < 7 ? new String[0] : lines.get(6).strip().split("\\s+", -1);
      if (keyAndId.length == 2) {
        process(List.of("ipcrm", "-m", keyAndId[1])).start().waitFor();
      }
    } catch (IOException e) {
      LOG.warn("{} may have left a segment of shared memory, see {}", this, lockFile, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Creates the cluster. {@code initdb} does not sync the disk, which matters only if the machine
   * crashes before the first checkpoint.
   */
  private void initialise(Path data) throws IOException {
    Path password = directory().path().resolve("password");
    Files.setPosixFilePermissions(directory().path(), PosixFilePermissions.fromString("rwx--x--x"));
    Files.createDirectory(
        data, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    user.own(data);
    Files.writeString(password, OWN);
    user.own(password);
    setUp(
        "initdb",
        asUser(List.of(
            programs.resolve("initdb").toString(),
            "-D",
            data.toString(),
            "--encoding=UTF8",
            "--locale=C",
            "--username=" + OWN,
            "--pwfile=" + password,
            "--auth=scram-sha-256",
            "--no-sync",
            "--no-instructions")));
  }

  private ProcessBuilder asUser(List<String> command) {
    ProcessBuilder process = process(user.command(command));
    process
        .environment()
        .keySet()
        .removeIf(name -> name.startsWith("PG") || name.startsWith("LC_") || name.equals("LANG"));
    return process;
  }
}
