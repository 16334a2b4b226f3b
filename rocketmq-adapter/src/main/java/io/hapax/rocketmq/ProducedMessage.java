package io.hapax.rocketmq;

import io.hapax.mark.Bytes;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.rocketmq.common.message.MessageExt;

/**
 * What a producer sent, under the key that its client gave it. A broker has several copies of a
 * message if it was sent back and the consumer, or the broker, did not live to write that down;
 * they are equal here.
 *
 * @param topic the topic that it was sent to
 * @param uniqueKey its {@code UNIQ_KEY}
 * @param properties its keys, its tags, and what its user gave it
 * @param body its body
 */
record ProducedMessage(String topic, String uniqueKey, Map<String, String> properties, Bytes body) {

  /** Reads it; empty if the producer's client gave it no key. */
  static Optional<ProducedMessage> of(MessageExt delivered) {
    return Optional.ofNullable(delivered.getProperty(DeadLetterMessage.UNIQ_KEY))
        .map(uniqueKey -> new ProducedMessage(
            RocketMqIds.realTopic(delivered),
            uniqueKey,
            delivered.getProperties().entrySet().stream()
                .filter(property -> DeadLetterMessage.isTheirs(property.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)),
            delivered.getBody() == null ? Bytes.EMPTY : Bytes.of(delivered.getBody())));
  }
}
