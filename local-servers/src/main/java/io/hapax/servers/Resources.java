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
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

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

  static Map<String, String> settings(String path) {
    Properties properties = new Properties();
    try (InputStream stream = open(path)) {
      properties.load(stream);
    } catch (IOException e) {
      throw new UncheckedIOException(path, e);
    }
    Map<String, String> settings = new TreeMap<>();
    properties.forEach((name, value) -> settings.put((String) name, (String) value));
    return settings;
  }

  /** Returns sixteen hexadecimal digits that change with the content of any of the files. */
  static String digest(List<String> paths) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String path : paths) {
        try (InputStream stream = new DigestInputStream(open(path), digest)) {
          stream.transferTo(OutputStream.nullOutputStream());
        }
      }
      return HexFormat.of().formatHex(digest.digest(), 0, 8);
    } catch (IOException | NoSuchAlgorithmException e) {
      throw new LocalServerException("cannot read " + paths, e);
    }
  }
}
