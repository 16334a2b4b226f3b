package io.hapax.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.Map;

/**
 * The full text of a script, in ASCII: the common part, the layout's part and the verb's part; and
 * the SHA-1 by which a server runs a script that it has seen.
 */
record ScriptText(String content, String sha1) {

  private static final Map<Script, ScriptText> STRINGS = all(Script.Marks.STRINGS);
  private static final Map<Script, ScriptText> COMPACT = all(Script.Marks.COMPACT);

  static ScriptText of(Script script, Script.Marks marks) {
    Map<Script, ScriptText> texts = marks == Script.Marks.COMPACT ? COMPACT : STRINGS;
    ScriptText text = texts.get(script);
    if (text == null) {
      throw new IllegalArgumentException("no " + script + " for marks laid out as " + marks);
    }
    return text;
  }

  private static Map<Script, ScriptText> all(Script.Marks marks) {
    Map<Script, ScriptText> texts = new EnumMap<>(Script.class);
    String common = resource("prelude") + resource(marks.layoutName()) + resource("marks");
    for (Script script : Script.values()) {
      if (script != Script.PURGE || marks == Script.Marks.COMPACT) {
        String content = common + resource(script.verb());
        texts.put(script, new ScriptText(content, sha1(content)));
      }
    }
    return texts;
  }

  private static String resource(String name) {
    try (InputStream file = ScriptText.class.getResourceAsStream(name + ".lua")) {
      if (file == null) {
        throw new IllegalStateException(
            name + ".lua is missing beside " + ScriptText.class.getName());
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(name + ".lua cannot be read", e);
    }
  }

  private static String sha1(String content) {
    try {
      byte[] ascii = content.getBytes(StandardCharsets.US_ASCII);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(ascii));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform must provide SHA-1", e);
    }
  }
}
