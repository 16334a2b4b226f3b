package io.hapax.spring.listener;

import io.hapax.spring.HapaxProperties;
import io.hapax.spring.HapaxProperties.Consumer;
import io.hapax.spring.Idempotent;
import io.hapax.spring.Idempotent.Mode;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Completes annotations by properties. Refuses listeners of one consumer that disagree. */
public final class ListenerSettingsResolver {

  private final HapaxProperties properties;
  private final UnaryOperator<String> placeholders;
  private final Map<String, ListenerDefinition> seen = new ConcurrentHashMap<>();

  public ListenerSettingsResolver(HapaxProperties properties, UnaryOperator<String> placeholders) {
    this.properties = properties;
    this.placeholders = placeholders;
  }

  /** Refuses a missing setting, and another store than that of the same consumer. */
  public ListenerDefinition resolve(String listener, Idempotent annotation, String group) {
    String consumer = text(annotation.consumer(), null, group);
    if (consumer.isEmpty()) {
      throw new RefusedListenerException(
          listener,
          "it has neither a group nor a consumer name",
          "Marks are stored under the name of a consumer.",
          "Set groupId of the listener, or consumer of @Idempotent.");
    }
    Consumer own = properties.consumers().getOrDefault(consumer, Consumer.DEFAULT);
    ListenerDefinition settings = new ListenerDefinition(
        listener,
        consumer,
        id(listener, annotation, own),
        text(annotation.fingerprint(), own.fingerprint(), "value"),
        mode(annotation.mode(), own.mode()),
        text(annotation.store(), own.store(), ""),
        text(annotation.onUnknownOutcome(), own.onUnknownOutcome(), "rerun"),
        annotation.shadow() || Boolean.TRUE.equals(own.shadow()),
        Optional.ofNullable(
            own.deadLetters() != null ? own.deadLetters() : properties.deadLetters()),
        own);
    refuseDisagreement(settings);
    return settings;
  }

  private String id(String listener, Idempotent annotation, Consumer own) {
    String id = text(annotation.id(), own.id(), "");
    if (id.isEmpty()) {
      throw new RefusedListenerException(
          listener,
          "id of @Idempotent is not set",
          "Hapax recognises duplicates by the business id that the producer sends.",
          "Set id, for example to \"header:order-id\" or \"json:/order/id\".");
    }
    return id;
  }

  private Mode mode(Mode annotated, @Nullable Mode own) {
    if (annotated != Mode.DEFAULT) {
      return annotated;
    }
    return own != null && own != Mode.DEFAULT ? own : properties.mode();
  }

  private void refuseDisagreement(ListenerDefinition settings) {
    ListenerDefinition first = seen.putIfAbsent(settings.consumer(), settings);
    if (first != null && !first.store().equals(settings.store())) {
      throw new RefusedListenerException(
          settings.listener(),
          "store is '" + settings.store() + "', but '" + first.store() + "' on " + first.listener(),
          "All listeners of the consumer " + settings.consumer() + " share their marks.",
          "Set the same store, or another consumer name on one of them.");
    }
  }

  private String text(String annotated, @Nullable String own, String standard) {
    if (!annotated.isEmpty()) {
      return placeholders.apply(annotated);
    }
    return own == null || own.isEmpty() ? standard : own;
  }
}
