package io.hapax.rocketmq;

import io.hapax.mark.Bytes;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageExt;

/**
 * What a producer sent, under the key that its client gave it. A broker has several copies of a
 * message if it was sent back and its offset was not written afterwards; they are equal here.
 *
 * @param topic the topic that it was sent to
 * @param uniqueKey its {@code UNIQ_KEY}
 * @param properties its keys, its tags, what its user gave it, and of which request it is
 * @param flag its flag
 * @param body its body
 */
record ProducedMessage(
    String topic, String uniqueKey, Map<String, String> properties, int flag, Bytes body) {

  /** Reads it; empty if the producer's client gave it no key. */
  static Optional<ProducedMessage> of(MessageExt delivered) {
    return Optional.ofNullable(delivered.getProperty(DeadLetterMessage.UNIQ_KEY))
        .map(uniqueKey -> new ProducedMessage(
            RocketMqIds.realTopic(delivered),
            uniqueKey,
            delivered.getProperties().entrySet().stream()
                .filter(property -> isTheirs(property.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)),
            delivered.getFlag(),
            delivered.getBody() == null ? Bytes.EMPTY : Bytes.of(delivered.getBody())));
  }

  private static boolean isTheirs(String property) {
    return DeadLetterMessage.isTheirs(property)
        || property.equals(MessageConst.PROPERTY_CORRELATION_ID);
  }
}
