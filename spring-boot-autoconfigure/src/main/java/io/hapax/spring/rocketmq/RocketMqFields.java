package io.hapax.spring.rocketmq;

import io.hapax.mark.Bytes;
import io.hapax.rocketmq.RocketMqIds;
import io.hapax.spring.listener.MessageFields;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.rocketmq.common.message.MessageExt;

/** Reads RocketMQ messages: properties are headers, the key is the only one of {@code KEYS}. */
record RocketMqFields(Function<MessageExt, Object> payloads) implements MessageFields<MessageExt> {

  private static final String CLOUD_EVENTS = "ce_";

  @Override
  public String topic(MessageExt message) {
    return RocketMqIds.firstTopic(message);
  }

  /** The attributes of CloudEvents have a prefix in capitals with RocketMQ. */
  @Override
  public Optional<Bytes> header(MessageExt message, String name) {
    Optional<Bytes> found = RocketMqIds.property(name).idOf(message);
    return found.isEmpty() && name.startsWith(CLOUD_EVENTS)
        ? RocketMqIds.property("CE_" + name.substring(CLOUD_EVENTS.length())).idOf(message)
        : found;
  }

  @Override
  public Optional<Bytes> key(MessageExt message) {
    return RocketMqIds.key().idOf(message);
  }

  @Override
  public Optional<Bytes> tag(MessageExt message) {
    return Optional.ofNullable(message.getTags()).map(Bytes::utf8);
  }

  @Override
  public Optional<byte[]> value(MessageExt message) {
    return Optional.ofNullable(message.getBody());
  }

  @Override
  public Root root(MessageExt message) {
    return new Root(
        payloads.apply(message),
        message.getKeys(),
        message.getProperties() == null ? Map.of() : Map.copyOf(message.getProperties()),
        topic(message));
  }
}
