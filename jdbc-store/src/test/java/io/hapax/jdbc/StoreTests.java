package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;

/** A store on one of the databases, threads, and short words for both. */
abstract class StoreTests {

  static final Duration LEASE = Duration.ofMinutes(10);

  private final String scope = "tx/" + UUID.randomUUID();
  final ExecutorService threads = Executors.newCachedThreadPool();

  /** The database of a parameterized class. */
  @Parameter
  TestDatabase database;

  JdbcFixture fixture;

  JdbcFixture open() {
    return new JdbcFixture(database::pool);
  }

  @BeforeEach
  void openStore() {
    fixture = open();
  }

  @AfterEach
  void closeStore() throws InterruptedException {
    threads.shutdownNow();
    assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    fixture.close();
  }

  JdbcDedupStore store() {
    return fixture.store();
  }

  /** Begins the setup of one more store on the fixture's table. */
  JdbcDedupStoreBuilder builder(DataSource pool) {
    return JdbcDedupStore.builder(pool)
        .table(fixture.table())
        .allowVolatile(true)
        .noBackgroundPurge();
  }

  /** Work in the transaction of one message. */
  @FunctionalInterface
  interface Work {
    void in(Connection connection) throws Exception;
  }

  List<ClaimAnswer> run(JdbcDedupStore store, String id, Work work) throws Exception {
    return store.<Exception>runOnce(
        List.of(request(id)), (connection, answers) -> work.in(connection));
  }

  /** A call that holds its marks in an open transaction. */
  record Holder<A>(Future<A> call, CountDownLatch release) {

    A end() throws Exception {
      release.countDown();
      return call.get(60, TimeUnit.SECONDS);
    }
  }

  @FunctionalInterface
  interface Call<A> {
    A with(Work work) throws Exception;
  }

  /** Returns when the call's work runs, which lasts until the holder is to end. */
  <A> Holder<A> holder(Call<A> call) throws Exception {
    CountDownLatch holding = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Future<A> answer = threads.submit(() -> call.with(connection -> {
      holding.countDown();
      assertThat(release.await(60, TimeUnit.SECONDS)).isTrue();
    }));
    assertThat(holding.await(60, TimeUnit.SECONDS)).isTrue();
    return new Holder<>(answer, release);
  }

  void assertNothingRemains() {
    assertThat(state("a")).isEqualTo(MarkState.ABSENT);
    assertThat(effects("a")).isZero();
  }

  MessageKey key(String id) {
    return MessageKey.of(scope, id);
  }

  ClaimRequest request(String id) {
    UUID nonce = UUID.randomUUID();
    return new ClaimRequest(
        key(id),
        new Nonce(nonce.getMostSignificantBits(), nonce.getLeastSignificantBits()),
        Fingerprint.NONE,
        Origin.NONE,
        new ClaimTerms(false, false, ClaimTerms.ANY_TIME));
  }

  MarkState state(String id) {
    return store().find(List.of(key(id))).get(0).map(mark -> mark.state()).orElse(MarkState.ABSENT);
  }

  String effect(String id) {
    return scope + id;
  }

  List<ClaimAnswer> runOnce(String... ids) throws SQLException {
    return runOnce(store(), List.of(ids).stream().map(this::request).toList());
  }

  List<ClaimAnswer> runOnce(JdbcDedupStore store, List<ClaimRequest> requests) throws SQLException {
    return store.runOnce(requests, (connection, answers) -> {
      for (ClaimAnswer answer : answers) {
        if (answer instanceof Acquired acquired) {
          fixture.writeEffect(connection, effect(acquired.claim().key().id().toString()));
        }
      }
    });
  }

  Claim claimed(String id) {
    return claimed(store(), List.of(request(id))).get(0);
  }

  /** Claims messages, all of which must be acquired. */
  static List<Claim> claimed(JdbcDedupStore store, List<ClaimRequest> requests) {
    return store.claim(requests, LEASE).stream()
        .map(answer -> ((Acquired) answer).claim())
        .toList();
  }

  static List<SettleAnswer> settle(JdbcDedupStore store, List<Claim> claims, Verdict verdict) {
    return store.settle(
        claims.stream().map(claim -> new Settlement(claim, verdict)).toList());
  }

  static ClaimRequest solo(ClaimRequest shared) {
    return new ClaimRequest(
        shared.key(),
        shared.nonce(),
        shared.fingerprint(),
        shared.origin(),
        new ClaimTerms(true, false, ClaimTerms.ANY_TIME));
  }

  int effects(String id) {
    return fixture.effects(effect(id));
  }

  /** Returns the first value of a query. */
  static String text(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getString(1);
    }
  }

  /** Returns the number that a query of a session of its own answers. */
  long number(String query) throws SQLException {
    try (Connection connection = fixture.pool().getConnection()) {
      return Long.parseLong(text(connection, query));
    }
  }

  static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
