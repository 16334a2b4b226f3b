package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.rocketmq.internal.DeadLetterMessage;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One message object that was sent twice has one unique key, whatever was changed in between. */
class ProducedMessageTest {

  private static MessageExt delivered(Map<String, String> properties) {
    MessageExt message = new MessageExt();
    message.setTopic("orders");
    message.setBody("body".getBytes(StandardCharsets.UTF_8));
    MessageAccessor.putProperty(message, DeadLetterMessage.UNIQ_KEY, "7F000001");
    properties.forEach((name, value) -> MessageAccessor.putProperty(message, name, value));
    return message;
  }

  @Test
  void a_copy_that_was_sent_back_is_the_same_message() {
    assertThat(ProducedMessage.of(delivered(Map.of(
            MessageConst.PROPERTY_RECONSUME_TIME, "1",
            MessageConst.PROPERTY_ORIGIN_MESSAGE_ID, "0A",
            MessageConst.PROPERTY_DELAY_TIME_LEVEL, "3"))))
        .isEqualTo(ProducedMessage.of(delivered(Map.of())));
  }

  /** A broker changes none of them when a message is sent back. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        MessageConst.PROPERTY_CORRELATION_ID,
        MessageConst.PROPERTY_MESSAGE_REPLY_TO_CLIENT,
        MessageConst.PROPERTY_BUYER_ID,
        MessageConst.PROPERTY_INSTANCE_ID
      })
  void what_its_producer_gave_it_makes_it_another(String property) {
    assertThat(ProducedMessage.of(delivered(Map.of(property, "1"))))
        .isNotEqualTo(ProducedMessage.of(delivered(Map.of(property, "2"))));
  }

  @Test
  void so_does_its_flag() {
    MessageExt flagged = delivered(Map.of());
    flagged.setFlag(1);

    assertThat(ProducedMessage.of(flagged)).isNotEqualTo(ProducedMessage.of(delivered(Map.of())));
  }
}
