package io.hapax.operations.rocketmq;

import io.hapax.adapter.DeadLetterHeaders;
import io.hapax.adapter.deadletter.DeadLetterMetadata;
import io.hapax.adapter.deadletter.OmittedHeaders;
import io.hapax.operations.text.Text;
import io.hapax.rocketmq.internal.DeadLetterMessage;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.apache.rocketmq.common.message.MessageExt;

/** A message that was delivered before, to be sent again. */
final class RevivedMessage {

  /** The properties that a dead-letter record adds. */
  private static final Set<String> ADDED = Stream.concat(
          DeadLetterMetadata.NAMES.stream(),
          Stream.of(DeadLetterHeaders.TOPIC, DeadLetterHeaders.UNIQUE_KEY))
      .collect(Collectors.toUnmodifiableSet());

  private RevivedMessage() {}

  /**
   * Returns the message of a {@link DeadLetterMessage} as it was before; without a topic if the
   * record does not name it.
   */
  static MessageExt of(MessageExt letter) {
    String topic = Objects.requireNonNullElse(letter.getProperty(DeadLetterHeaders.TOPIC), "");
    return copy(letter, topic, DeadLetterHeaders.UNIQUE_KEY);
  }

  /**
   * Returns a message of a topic, or of the retry topic of a group, as it is sent to its own topic
   * again.
   */
  static MessageExt again(MessageExt delivered) {
    return copy(delivered, DeadLetterMessage.sentTo(delivered), DeadLetterMessage.UNIQ_KEY);
  }

  private static MessageExt copy(MessageExt original, String topic, String uniqueKey) {
    MessageExt message = new MessageExt();
    message.setTopic(topic);
    message.setBody(original.getBody());
    message.setFlag(original.getFlag());
    original.getProperties().forEach((name, value) -> {
      if (DeadLetterMessage.isTheirs(name) && !ADDED.contains(name)) {
        MessageAccessor.putProperty(message, name, value);
      }
    });
    Optional.ofNullable(original.getProperty(uniqueKey))
        .ifPresent(key -> MessageAccessor.putProperty(message, DeadLetterMessage.UNIQ_KEY, key));
    return message;
  }

  /** Returns which part of its message a dead-letter record omits; empty if it has all. */
  static Optional<Text> missing(MessageExt letter) {
    byte[] body = letter.getBody() == null ? new byte[0] : letter.getBody();
    OmittedHeaders properties = DeadLetterMessage.leftOutOfTheFirst(letter);
    return DeadLetterMessage.bytesOfTheFirst(letter, body)
        .map(bytes -> Text.of("record.no-body", bytes))
        .or(() -> properties.isEmpty()
            ? Optional.empty()
            : Optional.of(Text.of("record.no-properties", properties.toText())));
  }
}
