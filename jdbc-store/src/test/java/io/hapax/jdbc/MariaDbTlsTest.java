package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.MarkState;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.servers.LocalMariaDb;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Encrypted connections, which the other MariaDB servers of these tests do not offer. */
@Tag("nightly")
class MariaDbTlsTest extends StoreTests {

  private static final char[] PASSWORD = "changeit".toCharArray();

  private static LocalMariaDb server;

  @BeforeAll
  static void startServer(@TempDir Path directory) throws Exception {
    server = encrypted(directory);
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @Override
  JdbcFixture open() {
    String url = server.createDatabase("marks") + "?sslMode=trust";
    return new JdbcFixture(() -> Databases.mariaDb(server, url));
  }

  /** With a key of its own; MariaDB would look for one of 4096 bits, for up to 20 seconds. */
  private static LocalMariaDb encrypted(Path directory) throws Exception {
    Path store = directory.resolve("store.p12");
    Process keytool = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-alias",
            "server",
            "-keyalg",
            "EC",
            "-dname",
            "CN=localhost",
            "-storetype",
            "PKCS12",
            "-keystore",
            store.toString(),
            "-storepass",
            new String(PASSWORD))
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore entries = KeyStore.getInstance("PKCS12");
    try (InputStream content = Files.newInputStream(store)) {
      entries.load(content, PASSWORD);
    }
    return LocalMariaDb.builder()
        .setting("ssl", "ON")
        .setting(
            "ssl_key",
            pem(directory, "PRIVATE KEY", entries.getKey("server", PASSWORD).getEncoded()))
        .setting(
            "ssl_cert",
            pem(directory, "CERTIFICATE", entries.getCertificate("server").getEncoded()))
        .start();
  }

  private static String pem(Path directory, String kind, byte[] content) throws IOException {
    String text = Base64.getMimeEncoder().encodeToString(content);
    return Files.writeString(
            directory.resolve(kind),
            "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n")
        .toString();
  }

  private static String cipher(HikariDataSource pool) {
    return Jdbi.create(pool)
        .withHandle(handle -> handle
            .createQuery("SHOW SESSION STATUS LIKE 'Ssl_cipher'")
            .map((row, context) -> row.getString(2))
            .one());
  }

  @Test
  void marks_and_effects_go_encrypted_through_either_driver() throws Exception {
    for (String url : List.of(
        server.jdbcUrl("marks") + "?sslMode=trust",
        server.mysqlUrl("marks") + "?sslMode=REQUIRED")) {
      try (HikariDataSource pool = Databases.mariaDb(server, url)) {
        JdbcDedupStore store = fixture.storeOn(pool);
        String id = url.split(":", 3)[1];

        Acquired leased =
            (Acquired) store.claim(List.of(request(id + "/leased")), LEASE).get(0);
        List<SettleAnswer> settled =
            store.settle(List.of(new Settlement(leased.claim(), Verdict.Done.WITHOUT_RESULT)));
        runOnce(store, List.of(request(id)));

        assertThat(cipher(pool)).as(id).isNotEmpty();
        assertThat(settled).containsExactly(new SettleAnswer.Settled(false));
        assertThat(state(id)).isEqualTo(MarkState.DONE);
        assertThat(effects(id)).isOne();
      }
    }
  }
}
