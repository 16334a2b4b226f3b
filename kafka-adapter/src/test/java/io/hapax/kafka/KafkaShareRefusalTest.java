package io.hapax.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.IdempotentReceiver;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a share receiver refuses before it asks any broker. */
class KafkaShareRefusalTest {

  private static final String CLIENT = "org.apache.kafka.clients.consumer.";

  @Test
  void a_client_without_renewals_is_refused_and_named() throws Exception {
    Class<?> receiver = new OldClient().loadClass(KafkaShareReceiver.class.getName());

    assertThat(receiver.getClassLoader()).isInstanceOf(OldClient.class);
    assertThatThrownBy(() -> receiver
            .getMethod("builder", IdempotentReceiver.class, Map.class)
            .invoke(null, null, Map.of()))
        .rootCause()
        .isInstanceOf(IllegalStateException.class)
        .hasMessageMatching("KafkaShareReceiver needs kafka-clients 4.2 or newer, but \\d.* is on"
            + " the class path");
  }

  @Test
  void settings_that_would_lose_messages_are_refused() {
    refused("share.acknowledgement.mode", "implicit", "must be explicit");
    refused("share.acquire.mode", "batch_optimized", "must be record_limit");
    refused("group.id", "", "a consumer group is required");
  }

  private static void refused(String name, String value, String rule) {
    Map<String, Object> properties = new HashMap<>(Map.of("group.id", "orders"));
    properties.put(name, value);
    assertThatThrownBy(() -> ShareGroup.of(properties)).hasMessageContainingAll(name, rule);
  }

  /** Loads Hapax's Kafka classes beside a client that has no share consumer. */
  private static final class OldClient extends ClassLoader {

    private static final List<String> MISSING = List.of(
        CLIENT + "AcknowledgeType",
        CLIENT + "AcknowledgementCommitCallback",
        CLIENT + "KafkaShareConsumer",
        CLIENT + "ShareConsumer");

    OldClient() {
      super(KafkaShareReceiver.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (MISSING.contains(name)) {
        throw new ClassNotFoundException(name);
      }
      if (!name.startsWith("io.hapax.kafka.")) {
        return super.loadClass(name, resolve);
      }
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      String file = name.replace('.', '/') + ".class";
      try (InputStream stream = getParent().getResourceAsStream(file)) {
        if (stream == null) {
          throw new ClassNotFoundException(name);
        }
        byte[] bytes = stream.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
