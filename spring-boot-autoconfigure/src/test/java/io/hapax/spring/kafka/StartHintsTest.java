package io.hapax.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.hapax.spring.Idempotent;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
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
  static class Plain extends EffectsFixture.Plain {}

  @KafkaApplication
  static class Replying {

    @KafkaListener(topics = "${orders}", groupId = "billing")
    @SendTo("bills")
    @Idempotent(id = "key")
    String on(String order) {
      return order;
    }
  }

  @KafkaApplication
  @KafkaListener(topics = "${orders}", groupId = "billing")
  @Idempotent(id = "key")
  static class ReplyingHandler {

    @KafkaHandler
    @SendTo("bills")
    String on(String order) {
      return order;
    }
  }

  @KafkaApplication
  static class OwnErrorHandler extends EffectsFixture.Plain {

    @Bean
    static DefaultErrorHandler errorHandler() {
      DefaultErrorHandler handler = new DefaultErrorHandler();
      handler.addNotRetryableExceptions(IllegalArgumentException.class);
      return handler;
    }

    @RetryableTopic(autoCreateTopics = "false")
    @KafkaListener(topics = "retried", groupId = "billing")
    @Idempotent(id = "key")
    void retried(String order) {}
  }

  static Stream<Arguments> hints() {
    return Stream.of(
        arguments(Plain.class, "", 0),
        arguments(Replying.class, "Replying.on: " + REPLY, 1),
        arguments(ReplyingHandler.class, "ReplyingHandler: " + REPLY, 1),
        arguments(OwnErrorHandler.class, "Plain.on: DefaultErrorHandler", 1));
  }

  @ParameterizedTest
  @MethodSource("hints")
  void a_reply_and_rules_of_an_error_handler_that_do_not_apply_are_warned_of(
      Class<?> application, String hint, int hints, CapturedOutput output) {
    runner
        .withUserConfiguration(application)
        .withPropertyValues("orders=orders")
        .run(context -> assertThat(context).hasNotFailed());

    assertThat(output).contains(hint);
    assertThat(output.getAll().split(REPLY + "|" + HANDLER, -1)).hasSize(hints + 1);
  }
}
