package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.IdempotentReceiver;
import io.hapax.RetrySettings;
import io.hapax.TransactionalHandler;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.mark.Bytes;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A database goes away and comes back under a receiver that runs. */
@Timeout(180)
abstract class ServerRestartTests {

  private static final int MESSAGES = 400;
  private static final int POLL = 20;

  private final List<Object> buried = new CopyOnWriteArrayList<>();
  private final AtomicInteger calls = new AtomicInteger();
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private HikariDataSource pool;
  private JdbcDedupStore store;
  private IdempotentReceiver<String> receiver;

  abstract HikariDataSource start();

  /** As a crash does, if the database can be killed. */
  abstract void kill();

  /** After a kill, or in good order; on the same data. */
  abstract void restart();

  abstract void stop();

  @BeforeEach
  void open() {
    pool = start();
    pool.setConnectionTimeout(Duration.ofSeconds(2).toMillis());
    Jdbi.create(pool).useHandle(handle -> handle.execute("CREATE TABLE effect (id VARCHAR(100))"));
    store = JdbcDedupStore.builder(pool).createIfAbsent().build();
    receiver = IdempotentReceiver.<String>builder("orders")
        .noFingerprint()
        .id(text -> Optional.of(Bytes.utf8(text)))
        .retry(new RetrySettings(2, Duration.ofMillis(10), Duration.ofMillis(100)))
        .deadLetters(buried::add)
        .transactional(store, TransactionalHandler.<String, Connection>forEach((tx, delivery) -> {
          calls.incrementAndGet();
          write(tx, delivery.message());
        }));
  }

  @AfterEach
  void close() {
    thread.shutdownNow();
    receiver.close();
    store.close();
    pool.close();
    stop();
  }

  private static void write(Connection transaction, String id) throws SQLException {
    try (PreparedStatement insert = transaction.prepareStatement("INSERT INTO effect VALUES (?)")) {
      insert.setString(1, id);
      insert.executeUpdate();
    }
  }

  private List<String> effects() {
    return Jdbi.create(pool)
        .withHandle(handle ->
            handle.createQuery("SELECT id FROM effect").mapTo(String.class).list());
  }

  /** Delivers what is not acknowledged again, as a broker does, until all is. */
  private void deliverAll(List<String> ids) {
    List<String> pending = new ArrayList<>(ids);
    await().atMost(Duration.ofMinutes(2)).until(() -> {
      List<String> poll = List.copyOf(pending.subList(0, Math.min(POLL, pending.size())));
      List<Outcome> outcomes = receiver.receive(
          IntStream.range(0, poll.size())
              .mapToObj(i -> new Incoming<>(poll.get(i), "p" + i % 4, poll.get(i), false))
              .toList(),
          Duration.ofSeconds(30));
      IntStream.range(0, poll.size())
          .filter(i -> outcomes.get(i).mayAcknowledge())
          .forEach(i -> pending.remove(poll.get(i)));
      return pending.isEmpty();
    });
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_restart_after_a_kill_or_in_good_order_loses_and_doubles_nothing(boolean killed)
      throws Exception {
    List<String> ids = IntStream.range(0, MESSAGES).mapToObj(i -> "order-" + i).toList();
    Future<?> faults = thread.submit(() -> {
      for (int part = 1; part <= 3; part++) {
        int seen = part * MESSAGES / 5;
        await().atMost(Duration.ofMinutes(1)).until(() -> calls.get() > seen);
        if (killed) {
          kill();
        }
        restart();
      }
    });

    deliverAll(ids);

    faults.get(1, TimeUnit.MINUTES);
    assertEachOnce(ids);
  }

  private void assertEachOnce(List<String> ids) {
    assertThat(effects()).containsExactlyInAnyOrderElementsOf(ids);
    List<Mark> marks =
        store.find(ids.stream().map(id -> MessageKey.of("orders", id)).toList()).stream()
            .flatMap(Optional::stream)
            .toList();
    assertThat(marks).hasSameSizeAs(ids).allMatch(mark -> mark.state() == MarkState.DONE);
    assertThat(marks).extracting(mark -> mark.claim().attempt().number()).containsOnly(1);
    assertThat(buried).isEmpty();
  }
}
