package io.hapax.kafka;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.kafka.common.serialization.Deserializer;

/** Reads texts, and shows each to the test first, on the thread that polls. */
public final class HookedDeserializer implements Deserializer<String> {

  private static final String HOOK = "test.hook";

  private Consumer<String> hook = text -> {};

  /** Settings of a consumer that reads its values with this. */
  static Map<String, Object> with(Consumer<String> hook) {
    return Map.of("value.deserializer", HookedDeserializer.class, HOOK, hook);
  }

  @Override
  @SuppressWarnings("unchecked")
  public void configure(Map<String, ?> settings, boolean isKey) {
    hook = (Consumer<String>) Objects.requireNonNull(settings.get(HOOK));
  }

  @Override
  public String deserialize(String topic, byte[] data) {
    String text = new String(data, StandardCharsets.UTF_8);
    hook.accept(text);
    return text;
  }
}
