package io.hapax.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.List;
import javax.sql.DataSource;

/**
 * The main class of a JVM that logs whatever it can, fails to open stores in many ways, and prints
 * each error with all its causes. Its arguments are the ports of PostgreSQL and MariaDB, and the
 * password that none of it may show.
 */
final class Refusals {

  private Refusals() {}

  public static void main(String[] args) {
    String password = args[2];
    String postgres = "jdbc:postgresql://127.0.0.1:" + args[0] + "/postgres";
    String mariaDb = "jdbc:mariadb://127.0.0.1:" + args[1] + "/marks";
    String mysql = "jdbc:mysql://127.0.0.1:" + args[1] + "/marks";
    String h2 = "jdbc:h2:mem:refusing;DB_CLOSE_DELAY=-1";
    String parameters = "?user=app&password=" + password;
    try (HikariDataSource first = Databases.h2(h2)) {
      // From now on there is a database that wants its own password.
      tryToOpen(new Unpooled("jdbc:h2:tcp://127.0.0.1:1/x;USER=app;PASSWORD=" + password));
      List.of(postgres, mariaDb, mysql).forEach(url -> {
        tryToOpen(new Unpooled(url + parameters));
        tryToOpen(new Unpooled(url.replace("//", "//app:" + password + "@")));
        tryToOpen(new Unpooled(url.replaceFirst(":\\d+/", ":1/") + parameters));
        tryToOpen(new Unpooled(url.replaceFirst(":\\d+/", ":no-port/") + parameters));
        tryToOpen(new Unpooled(url.replaceFirst("^jdbc:", "jdbc:no") + parameters));
        tryToOpenPool(url + parameters);
        tryToOpenPool(url, password);
      });
      tryToOpen(new Unpooled(mysql + "?(" + parameters));
      tryToOpen(new Unpooled("jdbc:mysql://address=(host=127.0.0.1)(password=" + password));
      tryToOpen(new Unpooled(h2 + ";USER=sa;PASSWORD=" + password));
      tryToOpen(new Unpooled(h2 + ";PASSWORD=" + password + ";PASSWORD=another"));
      tryToOpen(new Unpooled(h2 + ";NO_SUCH_SETTING=1;PASSWORD=" + password));
      tryToOpen(new Unpooled("jdbc:h2:;PASSWORD=" + password));
      tryToOpenPool(h2, password);
    }
    System.exit(0);
  }

  private static void tryToOpenPool(String url, String... password) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    if (password.length > 0) {
      config.setUsername("app");
      config.setPassword(password[0]);
    }
    config.setConnectionTimeout(500);
    config.setInitializationFailTimeout(-1);
    try (HikariDataSource pool = new HikariDataSource(config)) {
      tryToOpen(pool);
    }
  }

  private static void tryToOpen(DataSource dataSource) {
    try {
      JdbcDedupStore.builder(dataSource).build().close();
      System.out.println("opened");
    } catch (RuntimeException e) {
      e.printStackTrace(System.out);
    }
  }
}
