package io.hapax.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Properties;

/** Reads files from the class path by their full path. */
final class Resources {

  private Resources() {}

  static InputStream open(String path) {
    InputStream stream = Resources.class.getClassLoader().getResourceAsStream(path);
    if (stream == null) {
      throw new LocalServerException(path
          + " is not on the class path. It comes from a Maven build of this project, or from one of its"
          + " dependencies: in an IDE, run `mvn process-classes` once");
    }
    return stream;
  }

  static String text(String path) {
    try (InputStream stream = open(path)) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(path, e);
    }
  }

  static Properties properties(String path) {
    Properties properties = new Properties();
    try (InputStream stream = open(path)) {
      properties.load(stream);
    } catch (IOException e) {
      throw new UncheckedIOException(path, e);
    }
    return properties;
  }

  /** Returns sixteen hexadecimal digits that change with the content of any of the files. */
  static String digest(List<String> paths) {
    MessageDigest digest = sha256();
    for (String path : paths) {
      try (InputStream stream = new DigestInputStream(open(path), digest)) {
        stream.transferTo(OutputStream.nullOutputStream());
      } catch (IOException e) {
        throw new UncheckedIOException(path, e);
      }
    }
    return HexFormat.of().formatHex(digest.digest(), 0, 8);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
