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
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
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

  /**
   * The main class of a JVM that logs at every level, fails to open stores in many ways, and prints
   * each error with all its causes. Its arguments are a plain port, a TLS port, and the password
   * that must not appear.
   */
  static final class FailedOpensMain {

    private FailedOpensMain() {}

    public static void main(String[] args) {
      int plain = Integer.parseInt(args[0]);
      int tls = Integer.parseInt(args[1]);
      String password = args[2];
      List<RedisURI.Builder> uris = List.of(
          RedisURI.builder().withHost("127.0.0.1").withPort(plain),
          RedisURI.builder().withHost("127.0.0.1").withPort(1),
          RedisURI.builder().withHost("nobody.invalid").withPort(plain),
          RedisURI.builder().withHost("127.0.0.1").withPort(tls).withSsl(true),
          RedisURI.builder().withHost("127.0.0.1").withPort(plain).withSsl(true),
          RedisURI.builder().withSentinel("127.0.0.1", 1).withSentinelMasterId("m"));
      for (RedisURI.Builder uri : uris) {
        tryToOpen(RedisDedupStore.builder(
            uri.withAuthentication("app", password.toCharArray()).build()));
      }
      tryToOpen(RedisDedupStore.clusterBuilder(
          List.of(uris.get(0).withAuthentication("app", password.toCharArray()).build())));
      System.exit(0);
    }

    private static void tryToOpen(RedisDedupStoreBuilder builder) {
      try {
        builder.build().close();
        System.out.println("opened");
      } catch (RuntimeException e) {
        e.printStackTrace(System.out);
      }
    }
  }

  /**
   * A self-signed certificate for 127.0.0.1, with its key.
   *
   * @param store a PKCS#12 file with both
   * @param certificate a PEM file
   * @param key a PEM file
   */
  record Certificate(Path store, Path certificate, Path key) {

    static final String PASSWORD = "changeit";

    static Certificate in(Path directory) throws Exception {
      Path store = directory.resolve("store.p12");
      Process keytool = new ProcessBuilder(List.of(
              Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
              "-genkeypair",
              "-alias",
              "redis",
              "-keyalg",
              "EC",
              "-dname",
              "CN=localhost",
              "-ext",
              "SAN=IP:127.0.0.1",
              "-storetype",
              "PKCS12",
              "-keystore",
              store.toString(),
              "-storepass",
              PASSWORD))
          .redirectErrorStream(true)
          .start();
      String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (keytool.waitFor() != 0) {
        throw new IOException("keytool: " + output);
      }
      return of(store, directory);
    }

    private static Certificate of(Path store, Path directory)
        throws IOException, GeneralSecurityException {
      KeyStore entries = KeyStore.getInstance("PKCS12");
      try (InputStream content = Files.newInputStream(store)) {
        entries.load(content, PASSWORD.toCharArray());
      }
      byte[] key = entries.getKey("redis", PASSWORD.toCharArray()).getEncoded();
      byte[] certificate = entries.getCertificate("redis").getEncoded();
      return new Certificate(
          store,
          pem(directory.resolve("redis.crt"), "CERTIFICATE", certificate),
          pem(directory.resolve("redis.key"), "PRIVATE KEY", key));
    }

    private static Path pem(Path file, String kind, byte[] content) throws IOException {
      return Files.writeString(
          file,
          "-----BEGIN " + kind + "-----\n" + Base64.getMimeEncoder().encodeToString(content)
              + "\n-----END " + kind + "-----\n");
    }
  }
}
