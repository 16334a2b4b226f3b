package io.hapax.operations.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.errors.AuditFailedException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.remoting.exception.RemotingConnectException;
import org.apache.rocketmq.remoting.exception.RemotingException;
import org.junit.jupiter.api.Test;

/** Checks the errors of the client, and which calls it repeats. */
class ToolsClientTest {

  private final AtomicInteger calls = new AtomicInteger();

  @Test
  void a_name_server_that_is_lost_within_a_call_is_no_answer() {
    RemotingException lost = new RemotingConnectException("127.0.0.1:1");

    assertThatThrownBy(() -> ToolsClient.call(() -> {
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

    assertThatThrownBy(() -> ToolsClient.call(() -> {
          throw mistake;
        }))
        .isSameAs(mistake);
  }

  @Test
  void a_read_is_made_again_when_the_broker_was_away() throws Exception {
    String answer = ToolsClient.patiently(() -> {
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
    assertThatThrownBy(() -> ToolsClient.patiently(() -> {
          calls.incrementAndGet();
          throw new MQBrokerException(16, "no permission");
        }))
        .isInstanceOf(AuditFailedException.class);
    assertThat(calls).hasValue(1);
  }
}
