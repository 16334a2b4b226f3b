package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.DeadLetter;
import io.hapax.rocketmq.internal.DeadLetterMessage;
import java.nio.charset.StandardCharsets;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageAccessor;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Test;

/** What the record of a message that died before says. */
class DeadLetterMessageTest {

  @Test
  void the_place_of_an_earlier_failure_is_forgotten() {
    MessageExt died = new MessageExt();
    died.setTopic("orders");
    died.setBody("order".getBytes(StandardCharsets.UTF_8));
    died.putUserProperty("tenant", "acme");
    MessageAccessor.putProperty(died, "hapax-failed-at", "com.shop.Billing.charge");

    Message record = DeadLetterMessage.of(
        new DeadLetter<>(
            died, "billing", "17", "orders-0@7", 0, DeadLetter.Kind.CONFLICT, "", false),
        "orders.dead");

    assertThat(record.getProperty("tenant")).isEqualTo("acme");
    assertThat(record.getProperty("hapax-kind")).isEqualTo("CONFLICT");
    assertThat(record.getProperty("hapax-failed-at")).isNull();
  }
}
