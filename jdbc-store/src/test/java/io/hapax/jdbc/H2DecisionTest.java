package io.hapax.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.mark.Resolution;
import io.hapax.mark.SettleAnswer;
import io.hapax.store.MarkQuery;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;

/**
 * An operator's decision that waits for a transaction which is under way: the effect that it
 * commits is not repeated.
 */
class H2DecisionTest {

  private static final MessageKey KEY = MessageKey.of("orders", "a");
  private long nonces;

  private ClaimRequest request() {
    return new ClaimRequest(
        KEY,
        new Nonce(7, ++nonces),
        new Fingerprint(13),
        new Origin("host-17", "orders-0@7"),
        new ClaimTerms(true, false, ClaimTerms.ANY_TIME));
  }

  private void decidedWhileATransactionEnds(Resolution resolution, Duration lease)
      throws Exception {
    JdbcConnectionPool pool = JdbcConnectionPool.create(
        "jdbc:h2:mem:decision" + System.nanoTime() + ";DB_CLOSE_DELAY=-1", "sa", "");
    try (Connection c = pool.getConnection();
        Statement s = c.createStatement()) {
      s.execute("CREATE TABLE effects (id VARCHAR)");
    }
    try (JdbcDedupStore store = JdbcDedupStore.builder(pool)
        .createIfAbsent()
        .allowVolatile(true)
        .noBackgroundPurge()
        .lockWait(Duration.ofSeconds(10))
        .build()) {
      Claim claim = ((Acquired) store.claim(List.of(request()), lease).get(0)).claim();
      if (!resolution.forced()) {
        MarkQuery stale = MarkQuery.first("orders", MarkQuery.Kind.STALE, 1);
        await().until(() -> store.list(stale).size() == 1); // as for any handler that is long
      }
      CompletableFuture<Boolean> resolved = new CompletableFuture<>();

      SettleAnswer answer = store.<Exception>completeWith(claim, transaction -> {
        effect(transaction);
        Thread operator = new Thread(() -> {
          try {
            resolved.complete(store.resolve(KEY, claim.token(), MarkState.PROCESSING, resolution));
          } catch (Throwable e) {
            resolved.completeExceptionally(e);
          }
        });
        operator.start();
        await().until(() -> operator.getState() == Thread.State.TIMED_WAITING); // for the row
        assertThat(resolved).isNotDone();
      });

      assertThat(answer).isEqualTo(new SettleAnswer.Settled(false));
      boolean changed = resolved.get(20, TimeUnit.SECONDS);
      if (store.claim(List.of(request()), Duration.ofMinutes(1)).get(0) instanceof Acquired again) {
        store.<Exception>completeWith(again.claim(), this::effect); // as any delivery
      }
      assertThat(effects(pool))
          .as("committed effects; resolve answered %s", changed)
          .isEqualTo(1);
      assertThat(store.find(List.of(KEY)).get(0).orElseThrow().state()).isEqualTo(MarkState.DONE);
    } finally {
      pool.dispose();
    }
  }

  private void effect(Connection transaction) throws Exception {
    try (Statement s = transaction.createStatement()) {
      s.execute("INSERT INTO effects VALUES ('a')");
    }
  }

  private static int effects(JdbcConnectionPool pool) throws Exception {
    try (Connection c = pool.getConnection();
        Statement s = c.createStatement();
        ResultSet row = s.executeQuery("SELECT count(*) FROM effects")) {
      row.next();
      return row.getInt(1);
    }
  }

  @Test
  void reopening_a_stale_mark_does_not_repeat_a_late_owners_commit() throws Exception {
    decidedWhileATransactionEnds(Resolution.REOPEN, Duration.ofMillis(1));
  }

  @Test
  void forced_reopening_does_not_repeat_what_its_owner_commits_meanwhile() throws Exception {
    decidedWhileATransactionEnds(Resolution.REOPEN.force(), Duration.ofMinutes(1));
  }
}
