package io.hapax.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the certificate of the console. */
final class TlsOptions {

  @Option(
      names = "--tls-keystore",
      paramLabel = "FILE",
      description = "A PKCS12 file with the key and the certificate for TLS.")
  private @Nullable Path keystore;

  @Option(
      names = "--tls-password-env",
      paramLabel = "VARIABLE",
      description = "The environment variable that holds the password of --tls-keystore.")
  private @Nullable String passwordVariable;

  boolean isGiven() {
    return keystore != null;
  }

  /** Returns the TLS context of the certificate; empty without {@code --tls-keystore}. */
  Optional<SSLContext> context() {
    if (keystore == null) {
      return Optional.empty();
    }
    char[] password = password().toCharArray();
    try (InputStream bytes = Files.newInputStream(keystore)) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(bytes, password);
      KeyManagerFactory managers =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      managers.init(keys, password);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(managers.getKeyManagers(), null, null);
      return Optional.of(context);
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalArgumentException(
          "--tls-keystore is " + keystore + " but must be a readable PKCS12 file, with its password"
              + " in --tls-password-env",
          e);
    }
  }

  private String password() {
    if (passwordVariable == null) {
      return "";
    }
    String value = System.getenv(passwordVariable);
    if (value == null) {
      throw new IllegalArgumentException("--tls-password-env is " + passwordVariable
          + " but that environment variable is not set");
    }
    return value;
  }
}
