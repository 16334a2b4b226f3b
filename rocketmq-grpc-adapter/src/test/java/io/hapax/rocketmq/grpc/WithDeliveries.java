package io.hapax.rocketmq.grpc;

import io.hapax.Delivery;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.apache.rocketmq.client.apis.message.MessageView;
import org.junit.jupiter.api.Timeout;

/** Receivers on the broker with its proxy that write down what they were given. */
@Timeout(300)
abstract class WithDeliveries extends WithProxy {

  /** As {@code text@delivery}. */
  final List<String> deliveries = new CopyOnWriteArrayList<>();

  final List<Integer> attempts = new CopyOnWriteArrayList<>();

  void record(Delivery<MessageView> delivery) {
    attempts.add(delivery.attempt());
    MessageView message = delivery.message();
    deliveries.add(body(message) + '@' + message.getDeliveryAttempt());
    effects.add(body(message));
  }

  static String[] texts(int count) {
    return IntStream.range(0, count).mapToObj(i -> "m" + i).toArray(String[]::new);
  }
}
