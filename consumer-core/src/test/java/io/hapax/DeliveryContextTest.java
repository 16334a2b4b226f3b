package io.hapax;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Bytes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What a handler gets with its message, and may pass to a downstream. */
class DeliveryContextTest extends LeasedFixture {

  private final List<Delivery<String>> seen = new CopyOnWriteArrayList<>();

  @Test
  void a_handler_sees_the_remaining_time_of_its_lease() throws Exception {
    List<Duration> left = new ArrayList<>();

    receive(receiver(delivery -> left.add(delivery.leaseRemaining())), "a");

    assertThat(left.get(0)).isPositive().isLessThanOrEqualTo(LeaseSettings.DEFAULT.lease());
  }

  @Test
  void every_attempt_of_a_message_hands_on_the_same_idempotency_key() throws Exception {
    IdempotentReceiver<String> receiver = receiver(delivery -> {
      seen.add(delivery);
      if (delivery.attempt() == 1) {
        throw new IllegalStateException("the gateway timed out");
      }
    });
    receive(receiver, "a");
    clock.advance(Duration.ofMinutes(2));
    receive(receiver, "a", "b");

    assertThat(seen).extracting(Delivery::attempt).containsExactly(1, 2, 1);
    assertThat(seen.get(1).idempotencyKey()).isEqualTo(seen.get(0).idempotencyKey());
    assertThat(seen.get(2).idempotencyKey()).isNotEqualTo(seen.get(0).idempotencyKey());
  }

  @Test
  void two_consumers_hand_on_different_idempotency_keys_for_the_same_message() throws Exception {
    for (String consumer : List.of("billing", "shipping")) {
      IdempotentReceiver<String> receiver = open(IdempotentReceiver.<String>builder(consumer)
          .id(text -> Optional.of(Bytes.utf8(text)))
          .noFingerprint()
          .leased(store, seen::add));
      receiver.receive(lane("p0", "order-17"), LONG_PATIENCE);
    }

    assertThat(seen).hasSize(2);
    assertThat(seen.get(0).idempotencyKey()).isNotEqualTo(seen.get(1).idempotencyKey());
  }
}
