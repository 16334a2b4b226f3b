package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.servers.LocalRedis;
import io.hapax.servers.Loopback;
import io.hapax.store.StoreException;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Checks a server with TLS and a password, and that errors do not reveal the password. */
@Timeout(60)
class TlsTest {

  private static final String PASSWORD = "pw-that-nobody-may-see";

  @TempDir
  private static Path directory;

  private static Certificate certificate;
  private static LocalRedis redis;
  private static int port;

  @BeforeAll
  static void start() throws Exception {
    certificate = Certificate.in(directory);
    port = Loopback.freePort();
    redis = LocalRedis.builder()
        .setting("tls-port", Integer.toString(port))
        .setting("tls-cert-file", certificate.certificate().toString())
        .setting("tls-key-file", certificate.key().toString())
        .setting("tls-ca-cert-file", certificate.certificate().toString())
        .setting("tls-auth-clients", "no")
        .start();
    redis.command("ACL", "SETUSER", "app", "on", ">" + PASSWORD, "~*", "+@all");
  }

  @AfterAll
  static void close() {
    redis.close();
  }

  private static RedisURI.Builder uri() {
    return RedisURI.builder()
        .withHost("127.0.0.1")
        .withPort(port)
        .withSsl(true)
        .withAuthentication("app", PASSWORD);
  }

  @Test
  void a_client_that_trusts_the_certificate_reaches_its_marks_by_tls() {
    RedisClient client = RedisClient.create(uri().build());
    client.setOptions(ClientOptions.builder()
        .sslOptions(SslOptions.builder()
            .truststore(certificate.store().toFile(), Certificate.PASSWORD)
            .build())
        .build());
    try (RedisDedupStore store = RedisDedupStore.builder(client).build()) {
      Marks.settleDone(store, Marks.claim(store, "m"));
    } finally {
      client.shutdown();
    }
  }

  @Test
  void the_uri_is_enough_if_its_certificate_is_trusted_or_not_verified() {
    assertThatThrownBy(() -> RedisDedupStore.builder(uri().build()).build())
        .isInstanceOf(StoreException.class)
        .hasStackTraceContaining("certification path");

    try (RedisDedupStore store =
        RedisDedupStore.builder(uri().withVerifyPeer(false).build()).build()) {
      Marks.settleDone(store, Marks.claim(store, "n"));
    }
  }

  @Test
  void no_error_and_no_log_shows_the_password() throws Exception {
    String wrong = PASSWORD + "-or-another";
    String output = OtherJvm.output(FailedOpensMain.class, "debug", redis.port(), port, wrong);

    assertThat(output)
        .contains("DEBUG io.lettuce")
        .contains("WRONGPASS")
        .contains("127.0.0.1/<unresolved>:1")
        .contains("nobody.invalid")
        .contains("certification path")
        .doesNotContain("opened")
        .doesNotContain(wrong);
  }
}
