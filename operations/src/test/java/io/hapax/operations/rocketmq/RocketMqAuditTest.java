package io.hapax.operations.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Fingerprint;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.Test;

/** Messages as the client decodes them. */
class RocketMqAuditTest {

  @Test
  void a_message_without_properties_has_no_other_properties() {
    MessageExt bare = new MessageExt();
    assertThat(bare.getProperties()).isNull();

    assertThat(RocketMqOperations.digest(bare)).isEqualTo(Fingerprint.NONE);
    assertThat(RocketMqOperations.names(bare)).hasToString(", no properties");
  }
}
