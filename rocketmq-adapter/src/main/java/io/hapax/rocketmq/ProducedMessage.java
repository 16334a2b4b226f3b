package io.hapax.rocketmq;

import io.hapax.mark.Bytes;
import io.hapax.rocketmq.internal.DeadLetterMessage;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageExt;

/**
 * What a producer sent, under the key that its client gave it. A broker has several copies of a
 * message if it was sent back and its offset was not written afterwards; they are equal here.
 *
 * <p>A producer that sends one object twice gives both messages the same key. Therefore everything
 * else is compared too, except what is known to change between deliveries. A copy that is taken for
 * another message costs one delivery. Another message that is taken for a copy would be lost.
 */
record ProducedMessage(
    String topic, String uniqueKey, Map<String, String> properties, int flag, Bytes body) {

  private static final Set<String> OF_A_DELIVERY = Set.of(
      MessageConst.PROPERTY_CLUSTER,
      MessageConst.PROPERTY_CONSUME_START_TIMESTAMP,
      MessageConst.PROPERTY_CRC32,
      MessageConst.PROPERTY_DELAY_TIME_LEVEL,
      MessageConst.PROPERTY_MAX_OFFSET,
      MessageConst.PROPERTY_MAX_RECONSUME_TIMES,
      MessageConst.PROPERTY_MIN_OFFSET,
      MessageConst.PROPERTY_MSG_REGION,
      MessageConst.PROPERTY_ORIGIN_GROUP,
      MessageConst.PROPERTY_ORIGIN_MESSAGE_ID,
      MessageConst.PROPERTY_REAL_QUEUE_ID,
      MessageConst.PROPERTY_REAL_TOPIC,
      MessageConst.PROPERTY_RECONSUME_TIME,
      MessageConst.PROPERTY_RETRY_TOPIC,
      MessageConst.PROPERTY_TRACE_SWITCH,
      MessageConst.PROPERTY_WAIT_STORE_MSG_OK);

  static Optional<ProducedMessage> of(MessageExt delivered) {
    return Optional.ofNullable(delivered.getProperty(DeadLetterMessage.UNIQ_KEY))
        .map(uniqueKey -> new ProducedMessage(
            RocketMqIds.realTopic(delivered),
            uniqueKey,
            delivered.getProperties().entrySet().stream()
                .filter(property -> !OF_A_DELIVERY.contains(property.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)),
            delivered.getFlag(),
            delivered.getBody() == null ? Bytes.EMPTY : Bytes.of(delivered.getBody())));
  }
}
