package io.hapax.rocketmq.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.IdempotentReceiver;
import io.hapax.RetrySettings;
import io.hapax.store.InMemoryDedupStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.apache.rocketmq.client.apis.message.MessageView;
import org.junit.jupiter.api.Test;

/** What a health check is told. */
class TroublesTest {

  @Test
  void what_the_listener_knows_does_not_hide_what_the_receiver_knows() throws Exception {
    Marks marks = new Marks(new InMemoryDedupStore(InstantSource.system(), Duration.ofDays(8)));
    marks.cut = true;
    try (IdempotentReceiver<MessageView> receiver = receiver(marks);
        IdempotentMessageListener listener =
            IdempotentMessageListener.builder(receiver).retryMaxTimes(1).build()) {
      MessageView message = Views.message(List.of("17"), Map.of(), "body");
      Thread client = new Thread(() -> listener.consume(message));
      client.start();

      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(() -> assertThat(listener.trouble().orElse(""))
              .contains("raise its retryMaxTimes; ")
              .contains("the way to the marks is cut"));
      client.interrupt();
      client.join();
    }
  }

  private static IdempotentReceiver<MessageView> receiver(Marks marks) {
    return IdempotentReceiver.<MessageView>builder("order-service")
        .id(RocketMqGrpcIds.standard())
        .fingerprint(RocketMqGrpcFingerprints.body())
        .retry(new RetrySettings(1, Duration.ofMillis(50), Duration.ofMillis(100)))
        .leased(marks, delivery -> {});
  }
}
