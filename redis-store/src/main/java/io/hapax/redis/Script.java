package io.hapax.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/** The scripts, one file for each verb behind the common prelude. */
enum Script {
  CLAIM,
  RENEW,
  SETTLE,
  FIND,
  LIST,
  RESOLVE;

  private final String text;
  private final String sha1;

  Script() {
    this.text = resource("prelude") + resource(verb());
    this.sha1 = HexFormat.of().formatHex(digest(text.getBytes(StandardCharsets.US_ASCII)));
  }

  /** The verb, for a message. */
  final String verb() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Prelude and verb, ASCII. */
  String text() {
    return text;
  }

  /** The name under which a server that has seen the text knows it. */
  String sha1() {
    return sha1;
  }

  private static String resource(String name) {
    try (InputStream file = Script.class.getResourceAsStream(name + ".lua")) {
      if (file == null) {
        throw new IllegalStateException(name + ".lua is missing beside " + Script.class.getName());
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(name + ".lua cannot be read", e);
    }
  }

  private static byte[] digest(byte[] content) {
    try {
      return MessageDigest.getInstance("SHA-1").digest(content);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform must provide SHA-1", e);
    }
  }
}
