package io.hapax.jdbc;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkMachine;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.RenewAnswer;
import io.hapax.mark.Resolution;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.store.ListenableStore;
import io.hapax.store.MarkQuery;
import io.hapax.store.StoreListener;
import io.hapax.store.StoreListeners;
import io.hapax.store.StoreVerb;
import io.hapax.store.TransactionalDedupStore;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Marks in a table of PostgreSQL, MariaDB (10.6 and newer), MySQL 8 or H2, one row a mark, judged
 * by the database's clock. Safe for use by many threads; each verb borrows one connection for as
 * long as it runs, {@link #runOnce} and {@link #completeWith} also while the handler runs.
 *
 * <p><b>Cost.</b> A claim of a batch costs one statement on PostgreSQL and two elsewhere, one more
 * if marks were there that may be taken; a settlement costs one and so does a renewal (two outside
 * PostgreSQL), one more if some claims are not current, and another if marks were lost. On MySQL,
 * MariaDB and H2 a verb also asks for the session's settings, sets them and sets them back.
 * {@link #list} goes through the table's index on expiry in bounded statements; it is for people,
 * not for the hot path.
 *
 * <p><b>Connections</b> come from the data source, with any autocommit and isolation, in no
 * transaction: a data source that lends the connection of a transaction that is under way must not
 * be used. They go back as they came; one that cannot be restored or rolled back is aborted.
 * Isolation is set to READ COMMITTED for transactions and, on MySQL, MariaDB and H2, for every
 * verb; on PostgreSQL for other verbs once they have met contention.
 *
 * <p><b>Commits.</b> Claims, renewals, settlements, resolutions and purges commit by themselves,
 * statement by statement (a purge in transactions of its own); a crash leaves a part of a batch
 * executed, and the same verb with the same nonces completes it. In {@code runOnce} and
 * {@code completeWith} marks and the handler's writes commit together after the handler has
 * returned: a crash before leaves nothing, a crash after leaves both. Acknowledge when they have
 * returned.
 *
 * <p><b>The handler's connection</b> refuses, before anything is done, to commit, to roll back as a
 * whole, to be closed, unwrapped or set up otherwise, and statements that would end the
 * transaction: COMMIT and its like, outside PostgreSQL also those that change the schema, because
 * they commit. Savepoints of its own are the handler's. What the guard cannot see, a routine that
 * commits for example, is found before the commit and told with the marks that stand. What a
 * handler does to its session with SQL text (SET without LOCAL, USE) remains in the session when
 * the connection goes back to the pool, and so meets the next handler. The store's own statements
 * are immune to a changed search path or default schema: {@link JdbcDedupStoreBuilder#build}
 * resolves the table's schema once, and every statement names it. The connection is dead when the
 * handler has returned. Besides the lock wait, which on H2 bounds the handler's statements too, its
 * statements have the limits of its session.
 *
 * <p><b>Errors</b>, besides what a handler throws: {@link io.hapax.store.StoreContentionException}
 * after a deadlock or a serialization failure, with the handler's exception as its cause if the
 * handler met it (other verbs have tried five times by then);
 * {@link io.hapax.store.CommitUnknownException} if the answer to COMMIT was lost;
 * {@link io.hapax.store.BrokenTransactionException} if the handler broke its transaction;
 * {@link io.hapax.store.StoreException} for everything else that the database, the driver or the
 * pool does. A mark that stays locked is no error of a claim ({@code Busy}), a settlement or a
 * renewal ({@code Unavailable}); {@code completeWith} reports contention.
 *
 * <p><b>MySQL and MariaDB.</b> Either driver will do. All of it is tested on MariaDB 11.4 through
 * both drivers; no test ran on a MySQL server. The lock wait and the idle limit are whole seconds
 * there, rounded up. A clock that the session has stopped ({@code SET timestamp}) goes on. The
 * handler's tables must be InnoDB: others keep what a rollback should undo.
 *
 * <p>Transactional verbs need a database that does not forget a commit: after the ack the message
 * does not come again. {@link JdbcDedupStoreBuilder#build} refuses others.
 */
public final class JdbcDedupStore implements TransactionalDedupStore<Connection>, ListenableStore {

  private static final Logger LOG = LoggerFactory.getLogger(JdbcDedupStore.class);

  private final Verbs verbs;
  private final TransactionalVerbs transactions;
  private final Purge purge;
  private final Statements statements;
  private final JdbcSettings settings;
  private final StoreListeners listeners = new StoreListeners();
  private final Optional<Purger> purger;

  JdbcDedupStore(
      Connections connections,
      TransactionRunner runner,
      Statements statements,
      JdbcSettings settings,
      Optional<PurgeSettings> background) {
    CompareAndSetLoop loop = new CompareAndSetLoop(statements);
    this.verbs = new Verbs(connections, statements, loop, settings);
    this.transactions = new TransactionalVerbs(runner, connections, statements, loop, settings);
    this.purge = new Purge(connections, statements, settings, listeners);
    this.statements = statements;
    this.settings = settings;
    this.purger = background.map(it -> new Purger(it, purge::pass, settings.table(), LOG));
  }

  /**
   * Begins to set a store up.
   *
   * @param dataSource where connections come from, best a pool; it stays the caller's
   * @return a builder with the defaults
   */
  public static JdbcDedupStoreBuilder builder(DataSource dataSource) {
    return new JdbcDedupStoreBuilder(dataSource);
  }

  /**
   * The script that makes a table for this database, for those who change their schema themselves.
   *
   * @param dataSource the database
   * @param table the table's name, possibly with a schema before it
   * @return SQL; running it again changes nothing
   */
  public static String ddl(DataSource dataSource, String table) {
    return new Schema(dataSource, JdbcSettings.DEFAULT.withTable(table)).script();
  }

  @Override
  public List<ClaimAnswer> claim(List<ClaimRequest> requests, Duration lease) {
    if (requests.isEmpty()) {
      return List.of();
    }
    Duration life = positive(lease);
    return listeners.call(StoreVerb.CLAIM, requests.size(), () -> verbs.claim(requests, life));
  }

  @Override
  public List<RenewAnswer> renew(List<Claim> claims, Duration lease) {
    if (claims.isEmpty()) {
      return List.of();
    }
    Duration life = positive(lease);
    return listeners.call(StoreVerb.RENEW, claims.size(), () -> verbs.renew(claims, life));
  }

  @Override
  public List<SettleAnswer> settle(List<Settlement> settlements) {
    return settlements.isEmpty()
        ? List.of()
        : listeners.call(StoreVerb.SETTLE, settlements.size(), () -> verbs.settle(settlements));
  }

  @Override
  public List<Optional<Mark>> find(List<MessageKey> keys) {
    return keys.isEmpty()
        ? List.of()
        : listeners.call(StoreVerb.FIND, keys.size(), () -> verbs.find(keys));
  }

  @Override
  public List<Mark> list(MarkQuery query) {
    return listeners.call(StoreVerb.LIST, query.limit(), () -> verbs.list(query));
  }

  @Override
  public boolean resolve(
      MessageKey key, long expectedToken, MarkState expectedState, Resolution resolution) {
    Decision<MessageKey, Boolean> decision = Decision.atAnyTime(
        Function.identity(),
        (mark, same, now) ->
            MarkMachine.resolve(mark, expectedToken, expectedState, resolution, now));
    return listeners.call(StoreVerb.RESOLVE, 1, () -> verbs.resolve(key, decision));
  }

  @Override
  public int purge(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit is " + limit + " but must be positive");
    }
    return listeners.call(StoreVerb.PURGE, limit, () -> purge.purge(limit));
  }

  @Override
  public <X extends Exception> List<ClaimAnswer> runOnce(
      List<ClaimRequest> requests, BatchWork<Connection, X> work) throws X {
    notLeasedOnly();
    if (requests.isEmpty()) {
      return List.of();
    }
    return listeners.call(
        StoreVerb.RUN_ONCE, requests.size(), () -> transactions.runOnce(requests, work));
  }

  @Override
  public <X extends Exception> SettleAnswer completeWith(Claim claim, Work<Connection, X> work)
      throws X {
    notLeasedOnly();
    return listeners.call(StoreVerb.COMPLETE_WITH, 1, () -> transactions.completeWith(claim, work));
  }

  private void notLeasedOnly() {
    if (settings.leasedOnly()) {
      throw new IllegalStateException(
          "leasedOnly is true but must be false for the transactional verbs");
    }
  }

  private static Duration positive(Duration lease) {
    if (lease.isNegative() || lease.isZero()) {
      throw new IllegalArgumentException("lease is " + lease + " but must be positive");
    }
    return lease;
  }

  /** For tests: adds to the server's clock, so that they do not wait for leases to end. */
  void setClockOffset(Duration offset) {
    statements.setClockOffset(offset);
  }

  @Override
  public Duration retention() {
    return settings.retention().done();
  }

  @Override
  public Registration listen(StoreListener listener) {
    return listeners.listen(listener);
  }

  /**
   * Ends the purge in the background: waits for the batch that is under way, ten seconds at most.
   * Close the store before its data source, which is the caller's. Verbs still work afterwards.
   */
  @Override
  public void close() {
    purger.ifPresent(Purger::close);
  }

  /** Begins what goes on in the background, if anything does. */
  void start() {
    purger.ifPresent(Purger::start);
  }
}
