package io.hapax.resilience4j;

import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.hapax.Delivery;
import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverBuilder;
import io.hapax.errors.NotAppliedException;
import io.hapax.mark.Bytes;
import io.hapax.store.DedupStore;
import java.net.ConnectException;
import java.time.Duration;

/** Holds the example of docs/configuration.md, between the two comments. */
abstract class ConfigurationPageRetry {

  abstract Bytes send(String order) throws ConnectException;

  // example: begin
  private final Retry retry = Retry.of(
      "gateway",
      RetryConfig.custom()
          .maxAttempts(3) // calls, with the first one
          .waitDuration(Duration.ofMillis(100))
          .retryExceptions(NotAppliedException.class) // after any other error: in doubt
          .build());

  IdempotentReceiver<String> receiver(ReceiverBuilder<String> builder, DedupStore store) {
    return builder.answering(store, delivery -> retry.executeCallable(() -> charge(delivery)));
  }

  private Bytes charge(Delivery<String> delivery) {
    try {
      return send(delivery.message());
    } catch (ConnectException e) {
      throw new NotAppliedException("the gateway was not reached", e);
    }
  }

  // example: end
}
