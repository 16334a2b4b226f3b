package io.hapax.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.spring.Idempotent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaHandler;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.RetryableTopic;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.messaging.handler.annotation.SendTo;

/** What a listener does not do as before is in the log of the start. */
@ExtendWith(OutputCaptureExtension.class)
class StartHintsTest {

  private static final String REPLY = "a reply is sent";
  private static final String HANDLER = "has no effect on its messages";

  private final ApplicationContextRunner runner = new ApplicationContextRunner()
      .withPropertyValues(
          "spring.kafka.listener.auto-startup=false",
          "spring.kafka.bootstrap-servers=" + Broker.servers());

  @KafkaApplication
  static class Plain {
    @KafkaListener(topics = "orders", groupId = "billing")
    @Idempotent(id = "key")
    void on(String order) {}
  }

  @Test
  void a_listener_as_most_have_it_needs_no_hint(CapturedOutput output) {
    start(Plain.class);

    assertThat(output).doesNotContain(REPLY).doesNotContain(HANDLER);
  }

  @KafkaApplication
  static class Replying {
    @KafkaListener(topics = "orders", groupId = "billing")
    @SendTo("bills")
    @Idempotent(id = "key")
    String on(String order) {
      return order;
    }
  }

  @Test
  void a_listener_that_replies_is_warned_of(CapturedOutput output) {
    start(Replying.class);

    assertThat(output).contains("Replying.on: " + REPLY);
  }

  @KafkaApplication
  @KafkaListener(topics = "orders", groupId = "billing")
  @Idempotent(id = "key")
  static class ReplyingHandler {
    @KafkaHandler
    @SendTo("bills")
    String on(String order) {
      return order;
    }
  }

  @Test
  void a_handler_method_that_replies_is_warned_of(CapturedOutput output) {
    start(ReplyingHandler.class);

    assertThat(output).contains("ReplyingHandler: " + REPLY);
  }

  @KafkaApplication
  static class OwnErrorHandler {
    @Bean
    static DefaultErrorHandler errorHandler() {
      DefaultErrorHandler handler = new DefaultErrorHandler();
      handler.addNotRetryableExceptions(IllegalArgumentException.class);
      return handler;
    }

    @KafkaListener(topics = "orders", groupId = "billing")
    @Idempotent(id = "key")
    void on(String order) {}

    @RetryableTopic(autoCreateTopics = "false")
    @KafkaListener(topics = "retried", groupId = "billing")
    @Idempotent(id = "key")
    void retried(String order) {}
  }

  @Test
  void an_error_handler_whose_rules_do_not_apply_is_warned_of(CapturedOutput output) {
    start(OwnErrorHandler.class);

    assertThat(output)
        .containsOnlyOnce(HANDLER)
        .contains("OwnErrorHandler.on: DefaultErrorHandler");
  }

  private void start(Class<?> application) {
    runner.withUserConfiguration(application).run(context -> assertThat(context).hasNotFailed());
  }
}
