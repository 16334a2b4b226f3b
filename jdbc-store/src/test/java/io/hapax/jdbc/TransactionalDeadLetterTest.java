package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.DeadLetter;
import io.hapax.Delivery;
import io.hapax.IdempotentReceiver;
import io.hapax.RetrySettings;
import io.hapax.TransactionalHandler;
import io.hapax.adapter.Handout;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.adapter.Outcome.Deferred;
import io.hapax.adapter.Outcome.Reason;
import io.hapax.errors.DeferredException;
import io.hapax.errors.RejectedMessageException;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MarkState;
import io.hapax.policy.TooOldPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is dead-lettered or deferred in transactional mode; the rest of its batch takes effect. */
class TransactionalDeadLetterTest extends TransactionalFixture {

  private static final Duration WAIT = Duration.ofMinutes(10);

  private boolean orderIsThere;

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
      batch.add(new Incoming<>(Handout.of(old), "p0", true, old, false, sent));
    }
    batch.add(new Incoming<>(Handout.of("old on probation"), "p1", true, "p1@0", true, sent));
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

  /** Writes before it defers, so that a rollback is needed. */
  private IdempotentReceiver<String> deferring() {
    return receiver((transaction, delivery) -> {
      write(transaction, delivery.message());
      if (delivery.message().equals("later") && !orderIsThere) {
        throw new DeferredException(WAIT, "its order is not there yet");
      }
    });
  }

  private static Reason reason(Outcome outcome) {
    return ((Deferred) outcome).reason();
  }

  /** A lane on probation runs its messages one by one, under claims. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void a_deferred_message_is_rolled_back_and_keeps_its_attempts(boolean oneByOne) throws Exception {
    IdempotentReceiver<String> shop = deferring();
    List<Outcome> outcomes = shop.receive(lane("p0", oneByOne, "a", "later", "b"), PATIENCE);

    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Executed.class);
    assertThat(reason(outcomes.get(1))).isEqualTo(Reason.DEFERRED);
    assertThat(((Deferred) outcomes.get(1)).after()).isEqualTo(WAIT);
    assertThat(reason(outcomes.get(2))).isEqualTo(Reason.BLOCKED);
    assertThat(effects()).containsExactly("a");
    assertThat(mark("later").state()).isEqualTo(MarkState.RETRY);
    assertThat(mark("later").claim().attempt().number()).isZero();
    assertThat(mark("later").claim().attempt().inDoubt()).isFalse();
  }

  @Test
  void a_deferred_message_takes_effect_once_when_it_is_due() throws Exception {
    IdempotentReceiver<String> shop = deferring();
    receive(shop, "later");
    assertThat(reason(receive(shop, "later").get(0))).isEqualTo(Reason.BUSY);
    store.setClockOffset(WAIT.plusSeconds(1));
    orderIsThere = true;

    assertThat(receive(shop, "later").get(0)).isInstanceOf(Outcome.Executed.class);
    assertThat(receive(shop, "later").get(0)).isInstanceOf(Outcome.Duplicate.class);

    assertThat(effects()).containsExactly("later");
  }

  @Test
  void a_deferral_beyond_the_limit_is_a_failed_attempt() throws Exception {
    RetrySettings retry = new RetrySettings(1, Duration.ofMinutes(1), Duration.ofMinutes(1));
    IdempotentReceiver<String> shop = open(builder()
        .retry(retry.withMaxDeferral(Duration.ofMinutes(15)))
        .transactional(store, (transaction, deliveries) -> {
          throw new DeferredException(WAIT);
        }));
    Outcome first = receive(shop, "later").get(0);
    store.setClockOffset(WAIT.plusSeconds(1));

    Outcome second = receive(shop, "later").get(0);

    assertThat(reason(first)).isEqualTo(Reason.DEFERRED);
    assertThat(second).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(buried).hasSize(1);
  }
}
