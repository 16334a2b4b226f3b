package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.DeadLetter;
import io.hapax.IdempotentReceiver;
import io.hapax.Incoming;
import io.hapax.Outcome;
import io.hapax.ReceiverListener;
import io.hapax.RetrySettings;
import io.hapax.Submission;
import io.hapax.TransactionalHandler;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.store.CommitUnknownException;
import io.hapax.store.StoreContentionException;
import io.hapax.store.StoreException;
import io.hapax.store.TransactionalDedupStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Single faults of the engine in transactional mode, on a durable H2 file. */
@Timeout(60)
class TransactionalFaultsTest {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final HikariDataSource database = new HikariDataSource();
  private final List<DeadLetter<String>> buried = new CopyOnWriteArrayList<>();
  private final List<IdempotentReceiver<String>> opened = new ArrayList<>();
  private JdbcDedupStore store;

  @BeforeEach
  void open(@TempDir Path directory) {
    database.setJdbcUrl("jdbc:h2:file:" + directory.resolve("shop") + ";WRITE_DELAY=0");
    Jdbi.create(database)
        .useHandle(handle -> handle.execute("create table effect(id varchar(200))"));
    store = JdbcDedupStore.builder(database).createIfAbsent().build();
  }

  @AfterEach
  void close() {
    opened.forEach(IdempotentReceiver::close);
    database.close();
  }

  private IdempotentReceiver.Builder<String> builder() {
    return IdempotentReceiver.<String>builder("orders")
        .noFingerprint()
        .id(text -> Optional.of(Bytes.utf8(text.split("=", 2)[0])))
        .retry(new RetrySettings(2, Duration.ofMinutes(1), Duration.ofMinutes(1)))
        .drainTimeout(PATIENCE)
        .deadLetters(buried::add);
  }

  private IdempotentReceiver<String> receiver(
      IdempotentReceiver.Builder<String> builder,
      TransactionalHandler.Single<String, Connection> handler) {
    IdempotentReceiver<String> built =
        builder.transactional(store, TransactionalHandler.forEach(handler));
    opened.add(built);
    return built;
  }

  private static List<Incoming<String>> lane(String lane, boolean probation, String... messages) {
    return IntStream.range(0, messages.length)
        .mapToObj(i -> new Incoming<>(messages[i], lane, lane + "@" + i, probation))
        .toList();
  }

  @Test
  @DisplayName(
      "invariant 14: a store clock that jumps ahead stops transactional mode for a moment only")
  void batches_are_asked_for_again_after_the_stores_clock_has_left_ours_behind() throws Exception {
    IdempotentReceiver<String> shop = receiver(builder(), (transaction, delivery) -> {});
    shop.receive(lane("p0", true, "proves the lane, and learns the store's time"), PATIENCE);
    // the database failed over, or this process was suspended with its virtual machine
    store.setClockOffset(Duration.ofMinutes(1));

    List<Outcome> outcomes = List.of();
    for (int i = 0; i < 20 && outcomes.stream().noneMatch(Outcome::mayAcknowledge); i++) {
      outcomes = shop.receive(lane("p0", false, "a"), PATIENCE);
    }

    assertThat(outcomes).allMatch(Outcome::mayAcknowledge);
  }

  @Test
  @DisplayName("close waits for running handlers up to the drain time-out, in a batch too")
  void close_lets_the_running_transaction_finish() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch finished = new CountDownLatch(1);
    List<String> ends = new CopyOnWriteArrayList<>();
    IdempotentReceiver<String> shop = receiver(builder(), (transaction, delivery) -> {
      running.countDown();
      try {
        go.await();
        ends.add("finished");
      } catch (InterruptedException e) {
        ends.add("interrupted");
        throw e;
      } finally {
        finished.countDown();
      }
    });
    List<Outcome> outcomes = new CopyOnWriteArrayList<>();
    shop.submit(lane("p0", false, "a"), (index, outcome) -> outcomes.add(outcome));
    running.await();
    Thread closing = new Thread(shop::close, "closing");
    closing.start();
    closing.join(1_000); // far less than the drain time-out
    boolean waited = closing.isAlive();
    go.countDown();
    finished.await();
    closing.join(PATIENCE.toMillis());

    assertThat(ends).containsExactly("finished");
    assertThat(waited).as("close waited for the running transaction").isTrue();
    assertThat(outcomes).singleElement().isInstanceOf(Outcome.Executed.class);
  }

  @Test
  @DisplayName(
      "a revoke waits for what runs: handlers that run are left to finish, their outcomes follow")
  void abandoning_a_batch_whose_transaction_runs_does_not_defer_its_messages() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    IdempotentReceiver<String> shop = receiver(builder(), (transaction, delivery) -> {
      running.countDown();
      go.await();
    });
    List<Outcome> outcomes = new CopyOnWriteArrayList<>();
    Submission submission =
        shop.submit(lane("p0", false, "a"), (index, outcome) -> outcomes.add(outcome));
    running.await();

    submission.abandon();
    boolean finishedWhileRunning = submission.await(Duration.ZERO);
    go.countDown();
    submission.await(PATIENCE);

    assertThat(finishedWhileRunning)
        .as("all outcomes stand while the handler runs")
        .isFalse();
    assertThat(outcomes).singleElement().isInstanceOf(Outcome.Executed.class);
  }

  @Test
  @DisplayName("messages of one lane start in order, in one transaction too")
  void what_stands_behind_a_message_that_waits_for_another_lane_does_not_overtake_it()
      throws Exception {
    IdempotentReceiver<String> shop = receiver(builder(), (transaction, delivery) -> {
      if (delivery.message().startsWith("a=")) {
        throw new IllegalStateException("no stock");
      }
    });
    List<Incoming<String>> batch = new ArrayList<>(lane("p0", false, "a=1"));
    batch.addAll(lane("p1", false, "a=1", "behind"));

    List<Outcome> outcomes = shop.receive(batch, PATIENCE);

    assertThat(outcomes.get(1).mayAcknowledge()).isFalse();
    assertThat(outcomes.get(2)).isInstanceOf(Outcome.Deferred.class);
  }

  @Test
  @DisplayName("invariant 9: an effect that may repeat is counted, whichever mode repeats it")
  void a_leased_claim_in_doubt_that_a_transaction_takes_over_is_counted() throws Exception {
    store.claim(
        List.of(new ClaimRequest(
            MessageKey.of("orders", "a"),
            new Nonce(1, 2),
            Fingerprint.NONE,
            new Origin("the leased consumer of yesterday", ""),
            new ClaimTerms(true, true, ClaimTerms.ANY_TIME))),
        Duration.ofMinutes(5));
    store.setClockOffset(Duration.ofMinutes(10));
    List<ClaimAnswer.Acquired> recoveries = new CopyOnWriteArrayList<>();
    IdempotentReceiver<String> shop = receiver(
        builder().listener(new ReceiverListener() {
          @Override
          public void onRecovery(MessageKey key, ClaimAnswer.Acquired acquired) {
            recoveries.add(acquired);
          }
        }),
        (transaction, delivery) -> {});

    List<Outcome> outcomes = shop.receive(lane("p0", false, "a"), PATIENCE);

    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Executed.class);
    assertThat(recoveries).hasSize(1);
  }

  @Test
  @DisplayName("invariant 14: a handler that reports an interrupt does not harm the store")
  void an_interrupted_handler_is_a_failed_attempt_and_the_others_go_on() throws Exception {
    IdempotentReceiver<String> shop = receiver(builder(), (transaction, delivery) -> {
      if (delivery.message().equals("bad")) {
        throw new InterruptedException("a client library's own future was cancelled");
      }
    });
    List<Incoming<String>> batch = new ArrayList<>(lane("p0", false, "bad"));
    batch.addAll(lane("p1", false, "x", "y"));

    List<Outcome> outcomes = shop.receive(batch, PATIENCE);

    assertThat(outcomes.subList(1, 3))
        .as("with the receiver's trouble %s", shop.trouble())
        .allMatch(Outcome.Executed.class::isInstance);
    assertThat(((Outcome.Deferred) outcomes.get(0)).reason()).isEqualTo(Outcome.Reason.RETRY);
  }

  @Test
  @DisplayName("invariant 14: an Error out of the store's transaction is the store's trouble")
  void an_error_of_a_transaction_is_followed_by_another_transaction() throws Exception {
    AtomicBoolean armed = new AtomicBoolean(true);
    TransactionalDedupStore<Connection> faulty = faulty((verb, items, call) -> {
      if (verb.equals("runOnce") && armed.getAndSet(false)) {
        throw new LinkageError("a driver's reply buffer");
      }
      return call.go();
    });
    IdempotentReceiver<String> shop = builder()
        .drainTimeout(Duration.ZERO)
        .transactional(faulty, TransactionalHandler.forEach((transaction, delivery) -> {}));
    opened.add(shop);

    Submission submission = shop.submit(lane("p0", false, "a"), (index, outcome) -> {});

    assertThat(submission.await(PATIENCE)).isTrue();
  }

  private interface Call {
    Object go() throws Throwable;
  }

  private interface Fault {
    Object through(String verb, List<?> items, Call call) throws Throwable;
  }

  @SuppressWarnings("unchecked")
  private TransactionalDedupStore<Connection> faulty(Fault fault) {
    return (TransactionalDedupStore<Connection>) Proxy.newProxyInstance(
        getClass().getClassLoader(),
        new Class<?>[] {TransactionalDedupStore.class},
        (self, method, args) -> {
          if (method.getName().equals("hashCode")) {
            return 1;
          }
          if (method.getName().equals("equals")) {
            return self == args[0];
          }
          List<?> items =
              args != null && args.length > 0 && args[0] instanceof List<?> list ? list : List.of();
          Call call = () -> {
            try {
              return method.invoke(store, args);
            } catch (InvocationTargetException e) {
              throw e.getCause();
            }
          };
          boolean reachesTheDatabase = !items.isEmpty() || !method.getName().equals("runOnce");
          return reachesTheDatabase ? fault.through(method.getName(), items, call) : call.go();
        });
  }

  private List<Outcome> receive(Fault fault, List<Incoming<String>> messages) throws Exception {
    IdempotentReceiver<String> shop = builder()
        .transactional(faulty(fault), TransactionalHandler.forEach((transaction, delivery) -> {
          try (var insert = transaction.prepareStatement("insert into effect values (?)")) {
            insert.setString(1, delivery.message());
            insert.executeUpdate();
          }
        }));
    opened.add(shop);
    return shop.receive(messages, PATIENCE);
  }

  private List<String> effects() {
    return Jdbi.create(database)
        .withHandle(handle -> handle
            .createQuery("select id from effect order by id")
            .mapTo(String.class)
            .list());
  }

  private static boolean holds(List<?> requests, String id) {
    return requests.stream()
        .anyMatch(it -> ((ClaimRequest) it).key().equals(MessageKey.of("orders", id)));
  }

  /** The first call of the verb does not tell whether it committed. */
  private static Fault unknownOnce(String unknown, boolean committed) {
    AtomicBoolean armed = new AtomicBoolean(true);
    return (verb, items, call) -> {
      if (!verb.equals(unknown) || !armed.getAndSet(false)) {
        return call.go();
      }
      if (committed) {
        call.go();
      }
      throw new CommitUnknownException("the connection broke", new SQLException("08007"));
    };
  }

  @ParameterizedTest
  @CsvSource({"runOnce,true", "runOnce,false", "completeWith,true", "completeWith,false"})
  @DisplayName("invariant 8: a commit of which nobody knows is decided by asking again")
  void an_unknown_commit_takes_effect_once_and_is_known_as_executed(String verb, boolean committed)
      throws Exception {
    boolean probation = verb.equals("completeWith");

    List<Outcome> outcomes = receive(unknownOnce(verb, committed), lane("p0", probation, "a", "b"));

    assertThat(outcomes).allMatch(Outcome.Executed.class::isInstance);
    assertThat(effects()).containsExactly("a", "b");
  }

  @Test
  void contention_is_taken_apart_until_the_store_takes_what_is_left() throws Exception {
    Fault crowded = (verb, items, call) -> {
      if (verb.equals("runOnce") && items.size() > 1) {
        throw new StoreContentionException("deadlock", new SQLException("40001"));
      }
      return call.go();
    };

    List<Outcome> outcomes = receive(crowded, lane("p0", false, "a", "b", "c", "d", "e"));

    assertThat(outcomes).allMatch(Outcome.Executed.class::isInstance);
    assertThat(effects()).containsExactly("a", "b", "c", "d", "e");
  }

  @Test
  @DisplayName("messages of one lane start in order, though contention took their batch apart")
  void what_stands_behind_a_contended_message_does_not_overtake_it() throws Exception {
    Fault contended = (verb, items, call) -> {
      if (verb.equals("runOnce") && holds(items, "b")) {
        throw new StoreContentionException("deadlock", new SQLException("40001"));
      }
      return call.go();
    };

    List<Outcome> outcomes = receive(contended, lane("p0", false, "a", "b", "c", "d"));

    assertThat(effects()).containsExactly("a");
    assertThat(outcomes.subList(1, 4)).noneMatch(Outcome::mayAcknowledge);
  }

  @Test
  @DisplayName("invariant 5: a claim that was taken over commits nothing and is no ack")
  void a_transaction_of_a_late_owner_is_not_executed() throws Exception {
    ClaimTerms solo = new ClaimTerms(true, false, ClaimTerms.ANY_TIME);
    ClaimRequest other = new ClaimRequest(
        MessageKey.of("orders", "a"),
        new Nonce(1, 2),
        Fingerprint.NONE,
        new Origin("elsewhere", ""),
        solo);
    Fault overtaken = (verb, items, call) -> {
      if (verb.equals("completeWith")) {
        store.setClockOffset(Duration.ofHours(1));
        store.claim(List.of(other), Duration.ofHours(5));
      }
      return call.go();
    };

    List<Outcome> outcomes = receive(overtaken, lane("p0", true, "a", "behind"));

    assertThat(outcomes).noneMatch(Outcome::mayAcknowledge);
    assertThat(effects()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @DisplayName("invariant 1: never an ack on a store error, and it costs no attempt")
  void a_transaction_that_the_store_refused_is_neither_an_ack_nor_an_attempt(boolean contention)
      throws Exception {
    Fault refusing = (verb, items, call) -> {
      if (verb.equals("completeWith")) {
        throw contention
            ? new StoreContentionException("deadlock", new SQLException("40001"))
            : new StoreException("the pool is empty");
      }
      return call.go();
    };

    List<Outcome> outcomes = receive(refusing, lane("p0", true, "a", "behind"));

    assertThat(outcomes).noneMatch(Outcome::mayAcknowledge);
    assertThat(effects()).isEmpty();
    assertThat(store.find(List.of(MessageKey.of("orders", "a"))).get(0).orElseThrow())
        .returns(MarkState.RETRY, Mark::state)
        .returns(0, mark -> mark.claim().attempt().number());
  }

  @Test
  @DisplayName("invariant 10: an attempt past the maximum does not run in a transaction either")
  void a_message_that_killed_its_owners_is_dead_lettered_without_running() throws Exception {
    for (int i = 0; i < 3; i++) {
      ClaimTerms solo = new ClaimTerms(true, false, ClaimTerms.ANY_TIME);
      store.setClockOffset(Duration.ofHours(i));
      store.claim(
          List.of(new ClaimRequest(
              MessageKey.of("orders", "a"), new Nonce(9, i), Fingerprint.NONE, Origin.NONE, solo)),
          Duration.ofMinutes(1));
    }
    store.setClockOffset(Duration.ofHours(9));

    List<Outcome> outcomes =
        receive((verb, items, call) -> call.go(), lane("p0", false, "first", "a", "behind"));

    assertThat(outcomes.get(1)).isInstanceOf(Outcome.DeadLettered.class);
    assertThat(buried).hasSize(1);
    assertThat(effects()).doesNotContain("a").contains("first");
  }
}
