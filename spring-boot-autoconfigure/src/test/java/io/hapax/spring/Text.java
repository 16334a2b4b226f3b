package io.hapax.spring;

import io.hapax.IdempotentReceiver;
import io.hapax.MessageHandler;
import io.hapax.adapter.Handout;
import io.hapax.adapter.Incoming;
import io.hapax.mark.Bytes;
import io.hapax.spring.HapaxProperties.Consumer;
import io.hapax.spring.Idempotent.Mode;
import io.hapax.spring.listener.ListenerCode;
import io.hapax.spring.listener.ListenerDefinition;
import io.hapax.spring.listener.MessageFields;
import io.hapax.spring.listener.Receivers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** A message of a broker that exists in tests only. */
public record Text(String id, String value) {

  /** Reads such messages. */
  public static final class Fields implements MessageFields<Text> {

    @Override
    public String topic(Text message) {
      return "orders";
    }

    @Override
    public Optional<Bytes> header(Text message, String name) {
      return Optional.empty();
    }

    @Override
    public Optional<Bytes> key(Text message) {
      return Optional.of(Bytes.utf8(message.id()));
    }

    @Override
    public Optional<byte[]> value(Text message) {
      return Optional.of(message.value().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Root root(Text message) {
      return new Root(message.value(), message.id(), Map.of(), "orders");
    }
  }

  /** Returns a message with an id, in the only lane. */
  public static Incoming<Text> message(String id) {
    Handout<Text> unchangeable = Handout.always(new Text(id, "value of " + id));
    return new Incoming<>(
        unchangeable, "orders-0", true, "orders-0@" + id, false, Incoming.NO_TIMESTAMP);
  }

  /** Returns the settings of a listener of a consumer, in leased mode. */
  public static ListenerDefinition settings(String consumer, Consumer tuning) {
    return settings(consumer, "key", "value", Optional.empty(), tuning);
  }

  /** Returns the settings of a listener with expressions, or with a topic of dead letters. */
  public static ListenerDefinition settings(
      String consumer,
      String id,
      String fingerprint,
      Optional<String> deadLetters,
      Consumer tuning) {
    return new ListenerDefinition(
        "Billing.on",
        consumer,
        id,
        fingerprint,
        Mode.LEASED,
        "",
        "rerun",
        false,
        deadLetters,
        tuning);
  }

  /** Opens a receiver as an integration of a broker does; its dead letters are dropped. */
  public static IdempotentReceiver<Text> open(
      Receivers receivers, ListenerDefinition settings, MessageHandler<Text> handler) {
    return receivers.open(
        settings,
        new Fields(),
        new ListenerCode.Each<>(handler),
        Optional.of(letter -> {}),
        builder -> {});
  }
}
