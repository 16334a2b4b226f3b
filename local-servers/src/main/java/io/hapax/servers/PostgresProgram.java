package io.hapax.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import org.postgresql.Driver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates one PostgreSQL cluster, starts it and probes it. */
final class PostgresProgram implements Program {

  static final String NAME_AND_PASSWORD = "postgres";

  private static final Logger LOG = LoggerFactory.getLogger(PostgresProgram.class);
  private static final int PROBE_SECONDS = 3;

  private final ServerPlan plan;
  private final ServerDirectory directory;
  private final PostgresUser user;
  private final PostgresBinaries binaries = PostgresBinaries.unpacked();

  PostgresProgram(ServerPlan plan, PostgresUser user) {
    this.plan = plan;
    this.directory = plan.directory();
    this.user = user;
  }

  String jdbcUrl(String database) {
    return "jdbc:postgresql://" + plan.address() + '/' + database;
  }

  /**
   * Connects to the database {@code postgres}. Gives up if the server does not answer within the
   * given number of seconds.
   */
  Connection connect(int patienceSeconds) throws SQLException {
    String seconds = Integer.toString(patienceSeconds);
    Properties properties = new Properties();
    properties.setProperty("connectTimeout", seconds);
    properties.setProperty("socketTimeout", seconds);
    properties.setProperty("user", NAME_AND_PASSWORD);
    properties.setProperty("password", NAME_AND_PASSWORD);
    Connection connection = new Driver().connect(jdbcUrl("postgres"), properties);
    if (connection == null) {
      throw new SQLException("the driver does not know " + jdbcUrl("postgres"));
    }
    return connection;
  }

  @Override
  public String name() {
    return "PostgreSQL at " + plan.address();
  }

  @Override
  public Process launch() {
    try {
      if (!Files.exists(directory.data())) {
        initialise();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot create a database cluster in " + directory.path(), e);
    }
    Map<String, String> settings = new TreeMap<>();
    Resources.properties("io/hapax/servers/postgres.properties")
        .forEach((name, value) -> settings.put((String) name, (String) value));
    settings.putAll(plan.settings());
    settings.put("port", Integer.toString(plan.port()));
    List<String> command = new ArrayList<>(
        List.of(binaries.program("postgres"), "-D", directory.data().toString()));
    settings.forEach((name, value) -> command.addAll(List.of("-c", name + '=' + value)));
    return start(command);
  }

  @Override
  public Optional<Throwable> probe() {
    try (Connection connection = connect(PROBE_SECONDS)) {
      return connection.isValid(1)
          ? Optional.empty()
          : Optional.of(new SQLException("the connection is not valid"));
    } catch (SQLException e) {
      return Optional.of(e);
    }
  }

  /**
   * Returns the signal of a fast or an immediate shutdown. Both end all sessions and release shared
   * memory. The fast one also writes a checkpoint.
   */
  @Override
  public String endSignal(boolean dataAreKept) {
    return dataAreKept ? "INT" : "QUIT";
  }

  /**
   * Releases the System V shared memory of a killed server: a few bytes, but the machine has few
   * such segments. The last number in the seventh line of the lock file is the segment. After a
   * normal shutdown there is no lock file. A server that the watchdog killed keeps its segment.
   */
  @Override
  public void forget() {
    Path lockFile = directory.data().resolve("postmaster.pid");
    if (!user.sharesMemory() || !Files.exists(lockFile)) {
      return;
    }
    try {
      List<String> lines = Files.readAllLines(lockFile);
      String[] keyAndId =
          lines.size() < 7 ? new String[0] : lines.get(6).strip().split("\\s+", -1);
      if (keyAndId.length == 2) {
        new ProcessBuilder("ipcrm", "-m", keyAndId[1])
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.log().toFile()))
            .start()
            .waitFor();
      }
    } catch (IOException e) {
      LOG.warn("{} may have left a segment of shared memory, see {}", name(), lockFile, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Creates the cluster in another directory and moves it when it is complete, so that a crash
   * leaves no partial cluster. {@code initdb} does not sync the disk, which matters only if the
   * machine crashes before the first checkpoint.
   */
  private void initialise() throws IOException {
    Path unfinished = directory.path().resolve("data.unfinished");
    Path password = directory.path().resolve("password");
    if (directory.temporary()) {
      Files.setPosixFilePermissions(directory.path(), PosixFilePermissions.fromString("rwx--x--x"));
    }
    FileTree.delete(unfinished);
    Files.createDirectory(
        unfinished,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    user.own(unfinished);
    Files.writeString(password, NAME_AND_PASSWORD);
    user.own(password);
    Process initdb = start(List.of(
        binaries.program("initdb"),
        "-D",
        unfinished.toString(),
        "--encoding=UTF8",
        "--locale=C",
        "--username=" + NAME_AND_PASSWORD,
        "--pwfile=" + password,
        "--auth=scram-sha-256",
        "--no-sync",
        "--no-instructions"));
    SetupProcess.await(initdb, "initdb", "a database cluster", directory);
    Files.move(unfinished, directory.data(), StandardCopyOption.ATOMIC_MOVE);
  }

  private Process start(List<String> command) {
    ProcessBuilder process = plan.process(user.command(command));
    process
        .environment()
        .keySet()
        .removeIf(name -> name.startsWith("PG") || name.startsWith("LC_") || name.equals("LANG"));
    return Guard.start(process);
  }
}
