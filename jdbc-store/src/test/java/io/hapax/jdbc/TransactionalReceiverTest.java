package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.DeadLetter;
import io.hapax.HandlerCall;
import io.hapax.IdempotentReceiver;
import io.hapax.InProcessRetry;
import io.hapax.Incoming;
import io.hapax.Outcome;
import io.hapax.Outcome.Deferred;
import io.hapax.Outcome.Reason;
import io.hapax.ReceiverBuilder;
import io.hapax.ReceiverListener;
import io.hapax.RejectedMessageException;
import io.hapax.RetrySettings;
import io.hapax.StalePolicy;
import io.hapax.Submission;
import io.hapax.TooOldPolicy;
import io.hapax.TransactionalHandler;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The engine in transactional mode, on a durable H2 file: effects and marks stand or fall together.
 */
@Timeout(60)
class TransactionalReceiverTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final HikariDataSource database = new HikariDataSource();
  private final List<DeadLetter<String>> buried = new CopyOnWriteArrayList<>();
  private final AtomicInteger calls = new AtomicInteger();
  private final List<HandlerCall> heard = new CopyOnWriteArrayList<>();
  private JdbcDedupStore store;
  private Optional<IdempotentReceiver<String>> receiver = Optional.empty();

  @BeforeEach
  void open(@TempDir Path directory) {
    database.setJdbcUrl("jdbc:h2:file:" + directory.resolve("shop") + ";WRITE_DELAY=0");
    Jdbi.create(database)
        .useHandle(handle -> handle.execute("create table effect(id varchar(200))"));
    store = JdbcDedupStore.builder(database).createIfAbsent().build();
  }

  @AfterEach
  void close() {
    receiver.ifPresent(IdempotentReceiver::close);
    database.close();
  }

  private IdempotentReceiver<String> receiver(
      TransactionalHandler.Single<String, Connection> handler) {
    return open(builder()
        .transactional(store, TransactionalHandler.forEach((transaction, delivery) -> {
          calls.incrementAndGet();
          handler.handle(transaction, delivery);
        })));
  }

  private ReceiverBuilder<String> builder() {
    return IdempotentReceiver.<String>builder("orders")
        .noFingerprint()
        .id(text -> Optional.of(Bytes.utf8(text)))
        .retry(new RetrySettings(2, Duration.ofMinutes(1), Duration.ofMinutes(1)))
        .deadLetters(buried::add)
        .listener(new ReceiverListener() {
          @Override
          public void onHandlerCall(HandlerCall call) {
            heard.add(call);
          }
        });
  }

  private IdempotentReceiver<String> open(IdempotentReceiver<String> built) {
    receiver = Optional.of(built);
    return built;
  }

  private static void write(Connection transaction, String id) throws SQLException {
    try (PreparedStatement insert = transaction.prepareStatement("insert into effect values (?)")) {
      insert.setString(1, id);
      insert.executeUpdate();
    }
  }

  private List<String> effects() {
    return Jdbi.create(database)
        .withHandle(handle ->
            handle.createQuery("select id from effect").mapTo(String.class).list());
  }

  private static List<Incoming<String>> lane(String lane, boolean probation, String... messages) {
    return IntStream.range(0, messages.length)
        .mapToObj(i -> new Incoming<>(messages[i], lane, lane + "@" + i, probation))
        .toList();
  }

  private List<Outcome> receive(IdempotentReceiver<String> by, String... messages)
      throws Exception {
    return by.receive(lane("p0", false, messages), PATIENCE);
  }

  private Mark mark(String id) {
    return store.find(List.of(MessageKey.of("orders", id))).get(0).orElseThrow();
  }

  private void claimElsewhere(String id) {
    store.claim(
        List.of(new ClaimRequest(
            MessageKey.of("orders", id),
            new Nonce(1, 2),
            Fingerprint.NONE,
            new Origin("elsewhere", ""),
            new ClaimTerms(true, false, ClaimTerms.ANY_TIME))),
        Duration.ofMinutes(5));
  }

  @Test
  @DisplayName("invariant 8: effects and marks commit together, one transaction for a poll")
  void a_batch_takes_effect_once_and_its_redelivery_not_at_all() throws Exception {
    IdempotentReceiver<String> shop = receiver((tx, delivery) -> write(tx, delivery.message()));

    assertThat(receive(shop, "a", "b", "a", "c")).allMatch(Outcome::mayAcknowledge);
    assertThat(receive(shop, "c", "b", "a")).containsOnly(new Outcome.Duplicate());

    assertThat(effects()).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(mark("a").state()).isEqualTo(MarkState.DONE);
  }

  @Test
  void a_listener_hears_of_one_call_for_the_batch_and_of_each_on_probation() throws Exception {
    IdempotentReceiver<String> shop = receiver((tx, delivery) -> write(tx, delivery.message()));

    receive(shop, "a", "b");
    receive(shop, "a", "b");
    shop.receive(lane("p0", true, "c", "d"), PATIENCE);

    assertThat(heard)
        .extracting(call -> call.keys().stream().map(key -> key.id().toString()).toList())
        .containsExactly(List.of("a", "b"), List.of("c"), List.of("d"));
    assertThat(heard).allSatisfy(call -> assertThat(call.took()).isPositive());
  }

  @Test
  void health_knows_of_a_commit_of_a_completed_claim_and_of_a_failed_attempt() throws Exception {
    for (boolean probation : List.of(false, true)) {
      try (IdempotentReceiver<String> shop = receiver((tx, it) -> write(tx, it.message()))) {
        assertThat(shop.health().sinceSettled()).isEmpty();
        shop.receive(lane("p0", probation, "done" + probation), PATIENCE);
        assertThat(shop.health().sinceSettled()).isPresent();
      }
    }
    IdempotentReceiver<String> failing = receiver((tx, delivery) -> {
      throw new IllegalStateException("no stock");
    });
    receive(failing, "bad");
    assertThat(failing.health().sinceSettled()).isPresent();
  }

  @Test
  @DisplayName("invariant 8: a failing message takes nothing with it and leaves nothing behind")
  void one_failing_message_is_found_by_running_one_at_a_time() throws Exception {
    IdempotentReceiver<String> shop = receiver((tx, delivery) -> {
      write(tx, delivery.message());
      if (delivery.message().equals("bad")) {
        throw new IllegalStateException("no stock");
      }
    });
    List<Incoming<String>> batch = new ArrayList<>(lane("p0", false, "a", "bad", "behind"));
    batch.addAll(lane("p1", false, "x", "y"));

    List<Outcome> outcomes = shop.receive(batch, PATIENCE);

    assertThat(effects()).containsExactlyInAnyOrder("a", "x", "y");
    assertThat(((Deferred) outcomes.get(1)).reason()).isEqualTo(Reason.RETRY);
    assertThat(((Deferred) outcomes.get(2)).reason()).isEqualTo(Reason.BEHIND);
    assertThat(mark("bad").claim().attempt().number()).isEqualTo(1);
    assertThat(mark("bad").claim().attempt().inDoubt()).isFalse();
  }

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
  void a_rejected_message_is_dead_lettered_at_once_and_the_others_of_its_batch_take_effect()
      throws Exception {
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
  void messages_that_are_too_old_are_dead_lettered_and_the_others_of_their_batch_take_effect()
      throws Exception {
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
  void a_message_without_a_fingerprint_is_dead_lettered_and_the_others_of_its_batch_take_effect()
      throws Exception {
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

  @Test
  void a_busy_message_stops_its_lane_and_no_other() throws Exception {
    claimElsewhere("busy");
    IdempotentReceiver<String> shop = receiver((tx, delivery) -> write(tx, delivery.message()));
    List<Incoming<String>> batch = new ArrayList<>(lane("p0", false, "a", "busy", "behind"));
    batch.addAll(lane("p1", false, "x"));

    List<Outcome> outcomes = shop.receive(batch, PATIENCE);

    assertThat(effects()).containsExactlyInAnyOrder("a", "x");
    assertThat(((Deferred) outcomes.get(1)).reason()).isEqualTo(Reason.BUSY);
    assertThat(((Deferred) outcomes.get(2)).reason()).isEqualTo(Reason.BEHIND);
    assertThat(store.find(List.of(MessageKey.of("orders", "behind"))).get(0)).isEmpty();
  }

  @Test
  @DisplayName("invariant 10: on probation the attempt is in the store before the handler runs")
  void on_probation_attempts_are_written_first_and_messages_run_one_by_one() throws Exception {
    List<MarkState> seen = new CopyOnWriteArrayList<>();
    IdempotentReceiver<String> shop = receiver((tx, delivery) -> {
      seen.add(mark("second").state());
      write(tx, delivery.message());
    });

    List<Outcome> outcomes = shop.receive(lane("p0", true, "first", "second"), PATIENCE);

    assertThat(outcomes).allMatch(Outcome.Executed.class::isInstance);
    assertThat(seen.get(0)).isEqualTo(MarkState.PROCESSING);
    assertThat(effects()).containsExactly("first", "second");
    assertThat(mark("second").state()).isEqualTo(MarkState.DONE);
  }

  @Test
  void a_handler_that_commits_by_itself_fails_and_nothing_stands() throws Exception {
    IdempotentReceiver<String> shop = receiver((tx, delivery) -> {
      write(tx, delivery.message());
      tx.commit();
    });

    Outcome outcome = receive(shop, "a").get(0);

    assertThat(((Deferred) outcome).reason()).isEqualTo(Reason.RETRY);
    assertThat(effects()).isEmpty();
  }

  @Test
  void a_store_that_was_told_never_to_be_transactional_is_refused_at_once() {
    JdbcDedupStore leased =
        JdbcDedupStore.builder(database).createIfAbsent().leasedOnly().build();

    assertThatThrownBy(() -> IdempotentReceiver.<String>builder("orders")
            .id(text -> Optional.of(Bytes.utf8(text)))
            .noFingerprint()
            .transactional(leased, TransactionalHandler.forEach((transaction, delivery) -> {})))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("leasedOnly is true");
  }

  @Test
  void a_handler_in_its_transaction_is_current() throws Exception {
    List<Boolean> current = new CopyOnWriteArrayList<>();
    try (IdempotentReceiver<String> receiver = IdempotentReceiver.<String>builder("orders")
        .id(text -> Optional.of(Bytes.utf8(text)))
        .noFingerprint()
        .transactional(
            store,
            (transaction, deliveries) ->
                deliveries.forEach(delivery -> current.add(delivery.isCurrent())))) {
      receive(receiver, "a", "b");
    }

    assertThat(current).containsExactly(true, true);
  }

  @Test
  void duplicates_that_are_answered_do_not_hold_up_their_lane() throws Exception {
    List<String> answered = new CopyOnWriteArrayList<>();
    CountDownLatch go = new CountDownLatch(1);
    try (IdempotentReceiver<String> receiver = IdempotentReceiver.<String>builder("orders")
        .id(text -> Optional.of(Bytes.utf8(text)))
        .noFingerprint()
        .workers(2)
        .onDuplicate((message, result) -> {
          go.await();
          answered.add(message);
        })
        .transactional(store, (transaction, deliveries) -> {})) {
      receive(receiver, "a", "b", "c");
      List<Outcome> outcomes = new CopyOnWriteArrayList<>();
      Submission again =
          receiver.submit(lane("p0", false, "a", "b", "c", "d"), (i, it) -> outcomes.add(it));
      go.countDown();

      assertThat(again.await(PATIENCE)).isTrue();
      assertThat(outcomes).hasSize(4).allMatch(Outcome::mayAcknowledge);
    }

    assertThat(answered).containsExactlyInAnyOrder("a", "b", "c");
  }

  @Test
  void a_retry_in_the_process_is_refused_where_it_would_wait_in_a_transaction() {
    ReceiverBuilder<String> builder = IdempotentReceiver.<String>builder("orders")
        .id(text -> Optional.of(Bytes.utf8(text)))
        .noFingerprint()
        .inProcessRetry(InProcessRetry.of(3, Duration.ofMillis(10), Duration.ofMillis(20)));

    assertThatThrownBy(() -> builder.transactional(store, (transaction, deliveries) -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("inProcessRetry is 3 retries but must not be set");
  }

  @Test
  void a_stale_policy_is_refused_where_nothing_can_be_in_doubt() {
    ReceiverBuilder<String> builder = IdempotentReceiver.<String>builder("orders")
        .id(text -> Optional.of(Bytes.utf8(text)))
        .noFingerprint()
        .stalePolicy(StalePolicy.deadLetter());

    assertThatThrownBy(() -> builder.transactional(store, (transaction, deliveries) -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("stalePolicy is not rerun()");
  }
}
