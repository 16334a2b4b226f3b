package io.hapax.jdbc;

import io.hapax.mark.Bytes;
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
import io.hapax.setting.Durations;
import io.hapax.store.ListenableStore;
import io.hapax.store.MarkQuery;
import io.hapax.store.StoreCall;
import io.hapax.store.StoreListener;
import io.hapax.store.StoreListeners;
import io.hapax.store.TransactionalDedupStore;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A dedup store in a table of PostgreSQL, MariaDB (10.6 and newer), MySQL 8 or H2, with one row for
 * each mark. The database's clock judges leases. Safe for use by many threads. Each verb borrows
 * one connection while it runs; {@link #runOnce} and {@link #completeWith} keep theirs while the
 * handler runs.
 *
 * <p><b>Cost.</b> A claim of a batch costs one statement on PostgreSQL and two elsewhere, and one
 * more if existing marks can be taken over. A settlement costs one statement, a renewal one on
 * PostgreSQL and two elsewhere. Both cost one more if some claims are not current, and another if
 * marks were lost. On MySQL, MariaDB and H2 a verb also reads the session's settings, sets its own
 * and sets the old ones back. {@link #list} reads the table's index on expiry in bounded
 * statements; it is for people, not for the hot path.
 *
 * <p><b>Connections</b> come from the data source, with any autocommit and isolation. A data source
 * that lends the connection of a running transaction must not be used; see {@link TransactionFrame}
 * for transactions of a framework. The store restores a session before it gives the connection
 * back, and aborts a connection that it cannot restore or roll back. It sets READ COMMITTED for
 * transactions and, on MySQL, MariaDB and H2, for every verb. On PostgreSQL it does so for other
 * verbs only after contention.
 *
 * <p><b>Commits.</b> Claims, renewals, settlements and resolutions commit statement by statement,
 * and a purge in transactions of its own. A crash may leave a batch partly executed; the same verb
 * with the same nonces completes it. In {@code runOnce} and {@code completeWith} marks and the
 * handler's writes commit together after the handler has returned. A crash before the commit leaves
 * nothing, a crash after it leaves both. Acknowledge the message when the verb has returned.
 *
 * <p><b>The handler's connection</b> refuses commit, rollback, close, unwrap and changes of its
 * settings. It also refuses SQL that would end the transaction, such as COMMIT, and outside
 * PostgreSQL schema changes, because they commit. Savepoints are allowed. The guard cannot see a
 * routine that commits. The check after the handler's return or failure finds it, and takes the
 * marks back: their messages are in doubt and run again. A handler that changes its session with
 * SQL text (SET without LOCAL, USE) leaves the change to the next user of the pooled connection.
 * The store's own statements do not depend on the search path or default schema, because
 * {@link JdbcDedupStoreBuilder#build} resolves the table's schema once. The connection stops
 * working when the handler has returned. The handler's statements have the session's own limits,
 * except that the store's lock wait applies to them on H2.
 *
 * <p><b>Errors</b>, besides what a handler throws:
 *
 * <ul>
 *   <li>{@link io.hapax.store.StoreContentionException} after a deadlock or a serialization
 *       failure. If the handler met it, the handler's exception is the cause. Other verbs try five
 *       times before they throw it
 *   <li>{@link io.hapax.store.CommitUnknownException} if it is unknown whether the transaction was
 *       committed
 *   <li>{@link io.hapax.store.BrokenTransactionException} if the handler broke its transaction
 *   <li>{@link io.hapax.store.StoreException} for every other failure of the database, the driver
 *       or the pool
 * </ul>
 *
 * <p>A mark that stays locked is not an error: a claim answers {@code Busy}, a settlement or a
 * renewal {@code Unavailable}. Only {@code completeWith} reports contention then.
 *
 * <p><b>MySQL and MariaDB.</b> Both drivers work. Everything is tested on MariaDB 11.4 through both
 * drivers, but not on a MySQL server. The lock wait and the idle limit are rounded up to whole
 * seconds. The store restarts a clock that the session has stopped ({@code SET timestamp}). The
 * handler's tables must be InnoDB, because other engines do not roll back.
 *
 * <p>Transactional verbs need a database that does not lose a commit, because an acknowledged
 * message is not redelivered. {@link JdbcDedupStoreBuilder#build} refuses others.
 */
public final class JdbcDedupStore implements TransactionalDedupStore<Connection>, ListenableStore {

  private static final Logger LOG = LoggerFactory.getLogger(JdbcDedupStore.class);

  private final Schema schema;
  private final StatementVerbs verbs;
  private final TransactionalVerbs transactions;
  private final Purge purge;
  private final Statements statements;
  private final JdbcSettings settings;
  private final StoreListeners listeners = new StoreListeners();
  private final Optional<Purger> purger;

  JdbcDedupStore(
      Schema schema,
      Connections connections,
      TransactionRunner runner,
      Statements statements,
      JdbcSettings settings,
      Optional<PurgeSettings> background) {
    CompareAndSetLoop loop = new CompareAndSetLoop(statements);
    this.schema = schema;
    this.verbs = new StatementVerbs(connections, statements, loop, settings);
    this.transactions = new TransactionalVerbs(runner, connections, statements, loop, settings);
    this.purge = new Purge(connections, statements, settings, listeners);
    this.statements = statements;
    this.settings = settings;
    this.purger = background.map(it -> new Purger(it, purge::pass, settings.table(), LOG));
  }

  /**
   * {@return a builder with the defaults}
   *
   * @param dataSource lends connections, best from a pool; the caller closes it
   */
  public static JdbcDedupStoreBuilder builder(DataSource dataSource) {
    return new JdbcDedupStoreBuilder(dataSource);
  }

  /**
   * {@return the SQL script that creates a table in this database, for schema changes of your own}
   * It changes nothing if the table exists.
   *
   * @param dataSource the database
   * @param table the table's name, possibly with a schema before it
   */
  public static String ddl(DataSource dataSource, String table) {
    return new Schema(dataSource, JdbcSettings.DEFAULT.withTable(table)).script();
  }

  @Override
  public List<ClaimAnswer> claim(List<ClaimRequest> requests, Duration lease) {
    if (requests.isEmpty()) {
      return List.of();
    }
    Duration life = Durations.positive("lease", lease);
    return listeners.call(StoreCall.Verb.CLAIM, requests.size(), () -> verbs.claim(requests, life));
  }

  @Override
  public List<RenewAnswer> renew(List<Claim> claims, Duration lease) {
    if (claims.isEmpty()) {
      return List.of();
    }
    Duration life = Durations.positive("lease", lease);
    return listeners.call(StoreCall.Verb.RENEW, claims.size(), () -> verbs.renew(claims, life));
  }

  @Override
  public List<SettleAnswer> settle(List<Settlement> settlements) {
    return settlements.isEmpty()
        ? List.of()
        : listeners.call(
            StoreCall.Verb.SETTLE, settlements.size(), () -> verbs.settle(settlements));
  }

  @Override
  public Instant now(MessageKey key) {
    return listeners.call(StoreCall.Verb.NOW, 0, () -> verbs.now(key));
  }

  @Override
  public List<Optional<Mark>> find(List<MessageKey> keys) {
    return keys.isEmpty()
        ? List.of()
        : listeners.call(StoreCall.Verb.FIND, keys.size(), () -> verbs.find(keys));
  }

  @Override
  public List<Mark> list(MarkQuery query) {
    return listeners.call(StoreCall.Verb.LIST, query.limit(), () -> verbs.list(query));
  }

  @Override
  public boolean resolve(
      MessageKey key, long expectedToken, MarkState expectedState, Resolution resolution) {
    Decision<MessageKey, Boolean> decision = Decision.atAnyTime(
        Function.identity(),
        (mark, same, now) ->
            MarkMachine.resolve(mark, expectedToken, expectedState, resolution, now));
    return listeners.call(StoreCall.Verb.RESOLVE, 1, () -> verbs.resolve(key, decision));
  }

  @Override
  public int purge(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit is " + limit + " but must be positive");
    }
    return listeners.call(StoreCall.Verb.PURGE, limit, () -> purge.purge(limit));
  }

  /**
   * Looks up which messages are known to be done, with the guarantees of
   * {@link TransactionalDedupStore#findDone}.
   *
   * <p>Costs one SELECT with autocommit and READ COMMITTED, on a connection of the data source and
   * not in a {@link TransactionFrame}. The data source must lead to the server that accepts writes.
   * The statement finds nothing on a standby of PostgreSQL and on a server of MySQL or MariaDB with
   * {@code read_only}, if a proxy sends it there.
   */
  @Override
  public List<Optional<ClaimAnswer.Done>> findDone(List<ClaimRequest> requests) {
    notLeasedOnly();
    return requests.isEmpty()
        ? List.of()
        : listeners.call(StoreCall.Verb.FIND_DONE, requests.size(), () -> verbs.findDone(requests));
  }

  @Override
  public <X extends Exception> List<ClaimAnswer> runOnce(
      List<ClaimRequest> requests, BatchWork<Connection, X> work) throws X {
    notLeasedOnly();
    if (requests.isEmpty()) {
      return List.of();
    }
    return listeners.call(
        StoreCall.Verb.RUN_ONCE, requests.size(), () -> transactions.runOnce(requests, work));
  }

  @Override
  public <X extends Exception> SettleAnswer completeWith(Claim claim, Work<Connection, X> work)
      throws X {
    notLeasedOnly();
    return listeners.call(
        StoreCall.Verb.COMPLETE_WITH, 1, () -> transactions.completeWith(claim, work));
  }

  @Override
  public void keepResult(Connection transaction, Claim claim, Bytes result) {
    transactions.keepResult(transaction, claim, result);
  }

  /**
   * {@return whether the transactional verbs are switched off, by
   * {@link JdbcDedupStoreBuilder#leasedOnly()}}
   */
  public boolean leasedOnly() {
    return settings.leasedOnly();
  }

  private void notLeasedOnly() {
    if (settings.leasedOnly()) {
      throw new IllegalStateException(
          "leasedOnly is true but must be false for the transactional verbs");
    }
  }

  /** For tests: adds to the server's clock, so that a test need not wait for a lease to expire. */
  void setClockOffset(Duration offset) {
    statements.setClockOffset(offset);
  }

  /**
   * {@return a sentence, for people, for each setting of the database with which a crash may lose
   * marks}
   *
   * <p>A store that was built without {@code leasedOnly} and {@code allowVolatile} has none, unless
   * the settings of the database were changed since then.
   */
  @Override
  public List<String> warnings() {
    return schema.warnings();
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
   * Stops the background purge and waits at most ten seconds for its current batch. Close the store
   * before its data source. Verbs still work afterwards.
   */
  @Override
  public void close() {
    purger.ifPresent(Purger::close);
  }

  /** Starts the background purge, if there is one. */
  void start() {
    purger.ifPresent(Purger::start);
  }
}
