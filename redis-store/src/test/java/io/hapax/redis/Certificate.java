package io.hapax.redis;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

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
