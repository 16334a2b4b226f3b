package io.hapax.adapter.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The method of the application that a stack trace names. */
class FailurePlaceTest {

  private static StackTraceElement frame(String method) {
    int dot = method.lastIndexOf('.');
    return new StackTraceElement(
        method.substring(0, dot), method.substring(dot + 1), "Source.java", 7);
  }

  /** An error with a stack trace of these methods, innermost first. */
  private static Throwable error(String... methods) {
    Throwable error = new IllegalStateException("no price");
    error.setStackTrace(
        Arrays.stream(methods).map(FailurePlaceTest::frame).toArray(StackTraceElement[]::new));
    return error;
  }

  @Test
  void libraries_that_the_application_called_are_left_out() {
    assertThat(FailurePlace.of(error(
            "java.net.Socket.connect",
            "org.postgresql.Driver.connect",
            "com.shop.db.Prices.find",
            "com.shop.Billing.handle",
            "io.hapax.internal.handler.Call.run",
            "io.hapax.internal.run.Worker.run")))
        .isEqualTo("com.shop.db.Prices.find");
  }

  @Test
  void frames_between_hapax_and_a_listener_of_spring_are_left_out() {
    assertThat(FailurePlace.of(error(
            "com.shop.Billing.charge",
            "com.shop.Billing.on",
            "jdk.internal.reflect.DirectMethodHandleAccessor.invoke",
            "org.springframework.aop.framework.ReflectiveMethodInvocation.proceed",
            "io.hapax.spring.IdempotentAdvice.invoke")))
        .isEqualTo("com.shop.Billing.charge");
  }

  @Test
  void the_root_cause_counts() {
    Throwable root = error("com.shop.Prices.find", "io.hapax.internal.handler.Call.run");
    Throwable wrapped = error("com.shop.Billing.handle", "io.hapax.internal.handler.Call.run");
    wrapped.initCause(root);

    assertThat(FailurePlace.of(wrapped)).isEqualTo("com.shop.Prices.find");
  }

  @Test
  void a_cause_of_another_thread_or_without_frames_is_passed_over() {
    Throwable wrapped = error("com.shop.Billing.handle", "io.hapax.internal.handler.Call.run");
    wrapped.initCause(error("io.netty.Channel.read", "java.lang.Thread.run"));
    assertThat(FailurePlace.of(wrapped)).isEqualTo("com.shop.Billing.handle");

    Throwable stackless = error("com.shop.Billing.handle", "io.hapax.internal.handler.Call.run");
    stackless.initCause(error());
    assertThat(FailurePlace.of(stackless)).isEqualTo("com.shop.Billing.handle");

    assertThat(FailurePlace.of(error("io.netty.Channel.read", "java.lang.Thread.run")))
        .isEmpty();
  }

  @Test
  void a_handler_without_a_package_is_named() {
    assertThat(FailurePlace.of(error("Main.handle", "io.hapax.internal.handler.Call.run")))
        .isEqualTo("Main.handle");
  }

  @Test
  void an_error_whose_methods_throw_has_no_place() {
    Throwable hostile = new IllegalStateException() {
      @Override
      public StackTraceElement[] getStackTrace() {
        throw new IllegalStateException("it has no frames");
      }
    };

    assertThat(FailurePlace.of(hostile)).isEmpty();
  }
}
