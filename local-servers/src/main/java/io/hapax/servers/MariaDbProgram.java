package io.hapax.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.mariadb.jdbc.Driver;

/** Creates the data of one MariaDB server, starts it and probes it. */
final class MariaDbProgram implements Program {

  static final String NAME_AND_PASSWORD = "mariadb";

  private static final int PROBE_SECONDS = 3;

  /**
   * Run at each start, so that the user exists even if a crash came right after the data were
   * created.
   */
  private static final String USER = """
      CREATE USER IF NOT EXISTS %1$s@'%%' IDENTIFIED BY '%1$s';
      GRANT ALL PRIVILEGES ON *.* TO %1$s@'%%' WITH GRANT OPTION;
      """.formatted(NAME_AND_PASSWORD);

  private static final String OWN_DATABASE = """
      CREATE DATABASE mysql;
      USE mysql;
      SET @auth_root_socket=NULL;
      SET @skip_auth_anonymous=1;
      SET @current_hostname='localhost';
      """;

  private static final List<String> OWN_TABLES = List.of(
      "mariadb_system_tables.sql",
      "mariadb_performance_tables.sql",
      "mariadb_system_tables_data.sql");

  private final ServerPlan plan;
  private final ServerDirectory directory;
  private final MariaDbBinaries binaries = MariaDbBinaries.unpacked();

  MariaDbProgram(ServerPlan plan) {
    this.plan = plan;
    this.directory = plan.directory();
  }

  String address(String database) {
    return plan.address() + '/' + database;
  }

  /**
   * Connects to the server's own database. Gives up if the server does not answer within the given
   * number of seconds.
   */
  Connection connect(int patienceSeconds) throws SQLException {
    String url = "jdbc:mariadb://" + address("mysql");
    String millis = Long.toString(TimeUnit.SECONDS.toMillis(patienceSeconds));
    Properties properties = new Properties();
    properties.setProperty("connectTimeout", millis);
    properties.setProperty("socketTimeout", millis);
    properties.setProperty("user", NAME_AND_PASSWORD);
    properties.setProperty("password", NAME_AND_PASSWORD);
    Connection connection = new Driver().connect(url, properties);
    if (connection == null) {
      throw new SQLException("the driver does not know " + url);
    }
    return connection;
  }

  @Override
  public String name() {
    return "MariaDB at " + plan.address();
  }

  @Override
  public Process launch() {
    Path init = directory.path().resolve("init.sql");
    try {
      if (!Files.exists(directory.data())) {
        initialise();
      }
      Files.writeString(init, USER);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot create a database in " + directory.path(), e);
    }
    Map<String, String> settings = new TreeMap<>();
    Resources.properties("io/hapax/servers/mariadb.properties")
        .forEach((name, value) -> settings.put((String) name, (String) value));
    settings.putAll(plan.settings());
    settings.put("port", Integer.toString(plan.port()));
    settings.put("init_file", init.toString());
    List<String> command = command(directory.data());
    settings.forEach((name, value) -> command.add("--" + name + '=' + value));
    return Guard.start(plan.process(command));
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
   * Creates a folder for temporary tables. In a shared folder a starting server would remove the
   * temporary tables of other servers.
   */
  private Path ownTemporaries() {
    try {
      return Files.createDirectories(directory.path().resolve("tmp"));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot create a folder in " + directory.path(), e);
    }
  }

  /** Returns the arguments of every run. A server that runs as root needs an option for it. */
  private List<String> command(Path data) {
    List<String> command = new ArrayList<>(List.of(
        binaries.server(),
        "--no-defaults",
        "--basedir=" + binaries.folder(),
        "--lc-messages-dir=" + binaries.share(),
        "--character-sets-dir=" + binaries.share().resolve("charsets"),
        "--datadir=" + data,
        "--tmpdir=" + ownTemporaries()));
    if (CurrentUser.id() == CurrentUser.ROOT) {
      command.add("--user=root");
    }
    return command;
  }

  /**
   * Creates the data in another directory and moves them when they are complete, so that a crash
   * leaves no partial database.
   */
  private void initialise() throws IOException {
    Path unfinished = directory.path().resolve("data.unfinished");
    Path script = directory.path().resolve("bootstrap.sql");
    FileTree.delete(unfinished);
    Files.createDirectory(unfinished);
    StringBuilder statements = new StringBuilder(OWN_DATABASE);
    for (String tables : OWN_TABLES) {
      statements.append(Files.readString(binaries.share().resolve(tables))).append('\n');
    }
    Files.writeString(script, statements);
    List<String> command =
        new ArrayList<>(List.of("/bin/sh", "-c", "exec \"$@\" < bootstrap.sql", "bootstrap"));
    command.addAll(command(unfinished));
    command.addAll(List.of("--bootstrap", "--innodb-log-file-size=32M"));
    Process bootstrap = Guard.start(plan.process(command));
    SetupProcess.await(bootstrap, "mariadbd --bootstrap", "a database", directory);
    Files.delete(script);
    Files.move(unfinished, directory.data(), StandardCopyOption.ATOMIC_MOVE);
  }
}
