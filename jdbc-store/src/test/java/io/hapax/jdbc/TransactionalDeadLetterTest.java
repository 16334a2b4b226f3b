package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.DeadLetter;
import io.hapax.Delivery;
import io.hapax.IdempotentReceiver;
import io.hapax.RetrySettings;
import io.hapax.TransactionalHandler;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.errors.RejectedMessageException;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MarkState;
import io.hapax.policy.TooOldPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is dead-lettered in transactional mode, and that the rest of its batch takes effect. */
class TransactionalDeadLetterTest extends TransactionalFixture {

  @Test
  void after_its_last_attempt_a_message_is_dead_lettered() throws Exception {
    IdempotentReceiver<String> shop = receiver((tx, delivery) -> {
      throw new IllegalStateException("poison");
    });
    receive(shop, "bad");
    store.setClockOffset(Duration.ofMinutes(2));

    assertThat(receive(shop, "bad").get(0)).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(buried).hasSize(1);
    assertThat(receive(shop, "bad").get(0)).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(buried).hasSize(1);
    assertThat(calls).hasValue(2);
  }

  @Test
  void with_one_attempt_only_the_message_that_fails_alone_is_dead_lettered() throws Exception {
    IdempotentReceiver<String> shop = open(builder()
        .retry(new RetrySettings(1, Duration.ofMinutes(1), Duration.ofMinutes(1)))
        .transactional(store, (tx, deliveries) -> {
          for (Delivery<String> delivery : deliveries) {
            write(tx, delivery.message());
          }
          if (deliveries.stream().anyMatch(it -> it.message().equals("bad"))) {
            throw new IllegalStateException("poison");
          }
        }));

    assertThat(receive(shop, "a", "bad", "b")).allMatch(Outcome::mayAcknowledge);

    assertThat(effects()).containsExactlyInAnyOrder("a", "b");
    assertThat(buried).extracting(DeadLetter::message).containsExactly("bad");
    assertThat(heard.get(0).keys()).hasSize(3);
  }

  @Test
  void a_rejected_message_is_dead_lettered_and_its_batch_takes_effect() throws Exception {
    IdempotentReceiver<String> shop = receiver((tx, delivery) -> {
      if (delivery.message().equals("bad")) {
        throw new RejectedMessageException("no such item");
      }
      write(tx, delivery.message());
    });

    assertThat(receive(shop, "a", "bad", "b")).allMatch(Outcome::mayAcknowledge);

    assertThat(effects()).containsExactlyInAnyOrder("a", "b");
    assertThat(mark("bad").state()).isEqualTo(MarkState.DEAD);
    assertThat(buried.get(0).kind()).isEqualTo(DeadLetter.Kind.NOT_RETRYABLE);
    assertThat(buried.get(0).inDoubt()).isFalse();
  }

  @Test
  void messages_that_are_too_old_are_dead_lettered_and_others_take_effect() throws Exception {
    IdempotentReceiver<String> shop = open(builder()
        .tooOld(TooOldPolicy.DEAD_LETTER)
        .transactional(
            store, TransactionalHandler.forEach((tx, delivery) -> write(tx, delivery.message()))));
    long sent = Instant.now().toEpochMilli();
    store.setClockOffset(Duration.ofDays(9));
    List<Incoming<String>> batch = new ArrayList<>();
    for (String old : List.of("old", "older")) {
      batch.add(new Incoming<>(old, "p0", old, false, sent));
    }
    batch.add(new Incoming<>("old on probation", "p1", "p1@0", true, sent));
    batch.addAll(lane("p2", false, "young"));

    assertThat(shop.receive(batch, PATIENCE)).allMatch(Outcome::mayAcknowledge);

    assertThat(effects()).containsExactly("young");
    assertThat(buried)
        .hasSize(3)
        .allMatch(it -> it.kind() == DeadLetter.Kind.TOO_OLD && it.attempts() == 0);
    assertThat(mark("older").state()).isEqualTo(MarkState.DEAD);
  }

  @Test
  void a_message_without_fingerprint_is_dead_lettered_and_others_take_effect() throws Exception {
    IdempotentReceiver<String> shop = open(builder()
        .fingerprint(text -> {
          if (text.endsWith("?")) {
            throw new IllegalStateException("no such schema");
          }
          return Fingerprint.NONE;
        })
        .transactional(
            store, TransactionalHandler.forEach((tx, delivery) -> write(tx, delivery.message()))));
    List<Incoming<String>> batch = new ArrayList<>(lane("p0", false, "a?", "b"));
    batch.addAll(lane("p1", true, "c?", "d"));

    assertThat(shop.receive(batch, PATIENCE)).allMatch(Outcome::mayAcknowledge);

    assertThat(effects()).containsExactlyInAnyOrder("b", "d");
    assertThat(buried).hasSize(2).allMatch(it -> it.kind() == DeadLetter.Kind.MISSING_FINGERPRINT);
  }
}
