package io.hapax.kafka;

import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.apache.kafka.common.serialization.Deserializer;

/** Reads texts, and shows each to the test first, on the thread that polls. */
public final class HookedDeserializer implements Deserializer<String> {

  static volatile Consumer<String> hook = text -> {};

  @Override
  public String deserialize(String topic, byte[] data) {
    String text = new String(data, StandardCharsets.UTF_8);
    hook.accept(text);
    return text;
  }
}
