package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Test;

/** What is sent again of a message that was delivered before. */
class RevivedMessageTest {

  @Test
  void a_message_of_the_retry_topic_goes_to_its_own_with_what_is_its_own() {
    MessageExt retried = new MessageExt();
    retried.setTopic("%RETRY%billing");
    retried.setBody("order".getBytes(StandardCharsets.UTF_8));
    retried.setKeys("order-17");
    retried.setTags("express");
    retried.putUserProperty("tenant", "acme");
    MessageAccessor.putProperty(retried, MessageConst.PROPERTY_RETRY_TOPIC, "orders");
    MessageAccessor.putProperty(retried, DeadLetterMessage.UNIQ_KEY, "7F01");
    MessageAccessor.setReconsumeTime(retried, "3");

    MessageExt again = RevivedMessage.again(retried);

    assertThat(again.getTopic()).isEqualTo("orders");
    assertThat(again.getBody()).asString(StandardCharsets.UTF_8).isEqualTo("order");
    assertThat(again.getKeys()).isEqualTo("order-17");
    assertThat(again.getTags()).isEqualTo("express");
    assertThat(again.getUserProperty("tenant")).isEqualTo("acme");
    assertThat(again.getProperty(DeadLetterMessage.UNIQ_KEY)).isEqualTo("7F01");
    assertThat(again.getProperty(MessageConst.PROPERTY_RETRY_TOPIC)).isNull();
    assertThat(again.getProperty(MessageConst.PROPERTY_RECONSUME_TIME)).isNull();
  }
}
