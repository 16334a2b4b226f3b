package io.hapax.rocketmq;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.audit.AuditFailedException;
import org.apache.rocketmq.remoting.exception.RemotingConnectException;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.junit.jupiter.api.Test;

/** What the client throws, as whoever asks the brokers is told it. */
class BrokerViewTest {

  @Test
  void a_name_server_that_is_lost_within_a_call_is_no_answer() {
    RemotingException lost = new RemotingConnectException("127.0.0.1:1");

    assertThatThrownBy(() -> BrokerView.call(() -> {
          throw new IllegalStateException(lost); // as the client does it
        }))
        .isInstanceOf(AuditFailedException.class)
        .hasMessageStartingWith("the name server does not answer: ")
        .hasMessageContaining("127.0.0.1:1")
        .hasCause(lost);
  }

  @Test
  void a_programming_error_is_not_reported_as_a_silent_broker() {
    IllegalStateException mistake = new IllegalStateException("the client was closed");

    assertThatThrownBy(() -> BrokerView.call(() -> {
          throw mistake;
        }))
        .isSameAs(mistake);
  }
}
