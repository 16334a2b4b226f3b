package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.audit.AuditFailedException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.remoting.exception.RemotingConnectException;
import org.junit.jupiter.api.Test;

/** Reads of tools go on after a broker that cannot be reached for a moment. */
class PatientPullsTest {

  private final AtomicInteger calls = new AtomicInteger();

  @Test
  void a_read_is_made_again_when_the_broker_was_away() throws Exception {
    String answer = BrokerView.patiently(() -> {
      if (calls.incrementAndGet() < 3) {
        throw new RemotingConnectException("127.0.0.1:1");
      }
      return "pulled";
    });

    assertThat(answer).isEqualTo("pulled");
    assertThat(calls).hasValue(3);
  }

  @Test
  void a_refusal_of_the_broker_ends_the_read_at_once() {
    assertThatThrownBy(() -> BrokerView.patiently(() -> {
          calls.incrementAndGet();
          throw new MQBrokerException(16, "no permission");
        }))
        .isInstanceOf(AuditFailedException.class);
    assertThat(calls).hasValue(1);
  }
}
