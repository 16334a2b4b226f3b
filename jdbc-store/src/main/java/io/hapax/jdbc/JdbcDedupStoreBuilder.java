package io.hapax.jdbc;

import io.hapax.store.StoreListener;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/** Builds a {@link JdbcDedupStore}. Each setting is checked at {@link #build()} at the latest. */
public final class JdbcDedupStoreBuilder {

  private final DataSource dataSource;
  private JdbcSettings settings = JdbcSettings.DEFAULT;
  private Optional<PurgeSettings> purge = Optional.of(PurgeSettings.DEFAULT);
  private Optional<TransactionFrame> frame = Optional.empty();
  private boolean create;

  JdbcDedupStoreBuilder(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /**
   * Sets the table; {@code hapax_marks} by default.
   *
   * @param name letters, digits and underscores, possibly with a schema before it
   * @return this
   */
  public JdbcDedupStoreBuilder table(String name) {
    settings = settings.withTable(name);
    return this;
  }

  /**
   * Sets how long a DONE mark is kept: the dedup window. Eight days by default. Another store on
   * the same table, with a shorter retention, also purges the marks of this store. It keeps them
   * for at least its own retention, less the time between a mark's first and last claim. That time
   * counts for an hour at most.
   *
   * @param retention longer than the broker can replay; one millisecond to a hundred years
   * @return this
   */
  public JdbcDedupStoreBuilder retention(Duration retention) {
    settings = settings.withRetention(settings.retention().withDone(retention));
    return this;
  }

  /**
   * Sets how long an open or dead mark is kept without a change. For a dead mark the time begins at
   * its settlement, for a lost claim at the end of its lease, and for a failed message when its
   * retry is due. Ninety days by default, and never less than the retention. After that the message
   * is forgotten although it was never done: a redelivery runs as a new message. The store logs
   * each such removal with a count as a warning, and reports it to
   * {@link StoreListener#onForgotten}. If stores on one table differ, the shortest value decides,
   * because a mark does not record it.
   *
   * @param retention longer than dead letters wait for a decision; one millisecond to a hundred
   *     years
   * @return this
   */
  public JdbcDedupStoreBuilder openRetention(Duration retention) {
    settings = settings.withRetention(settings.retention().withOpen(retention));
    return this;
  }

  /**
   * Sets how expired marks are removed in the background; {@link PurgeSettings#DEFAULT} by default.
   * A thread of the store removes them until {@link JdbcDedupStore#close()}. It borrows one
   * connection for a few milliseconds at a time.
   *
   * @param purge interval and batch size
   * @return this
   */
  public JdbcDedupStoreBuilder purge(PurgeSettings purge) {
    this.purge = Optional.of(purge);
    return this;
  }

  /**
   * Switches the background purge off; call {@link JdbcDedupStore#purge} instead.
   *
   * @return this
   */
  public JdbcDedupStoreBuilder noBackgroundPurge() {
    this.purge = Optional.empty();
    return this;
  }

  /**
   * Sets how long a verb waits for another transaction that holds a mark. After that the claim is
   * {@code Busy} for the same time. One second by default.
   *
   * @param lockWait one millisecond to five minutes
   * @return this
   */
  public JdbcDedupStoreBuilder lockWait(Duration lockWait) {
    settings = settings.withLockWait(lockWait);
    return this;
  }

  /**
   * Sets how long the server tolerates an idle transaction (PostgreSQL, MySQL, MariaDB). This frees
   * the marks of a stopped process. A handler that sends no statement for longer loses its
   * transaction: it is rolled back, and the verb throws a
   * {@link io.hapax.store.BrokenTransactionException}, so that the engine counts a failed attempt.
   * One minute by default.
   *
   * @param idleLimit longer than a handler's pauses between statements; one millisecond to a day
   * @return this
   */
  public JdbcDedupStoreBuilder idleLimit(Duration idleLimit) {
    settings = settings.withIdleLimit(idleLimit);
    return this;
  }

  /**
   * Runs {@link JdbcDedupStore#runOnce} and {@link JdbcDedupStore#completeWith} in transactions of
   * the application. By default the store borrows a connection and ends the transaction itself.
   *
   * @param frame begins transactions on the database of this store's data source
   * @return this
   */
  public JdbcDedupStoreBuilder transactionFrame(TransactionFrame frame) {
    this.frame = Optional.of(frame);
    return this;
  }

  /**
   * Accepts a database that may lose a commit. A crash of the database can then lose the effects of
   * acknowledged messages.
   *
   * @param allowed whether to skip the check
   * @return this
   */
  public JdbcDedupStoreBuilder allowVolatile(boolean allowed) {
    settings = settings.withVolatileAllowed(allowed);
    return this;
  }

  /**
   * Switches the transactional verbs off, and the durability check with them.
   *
   * @return this
   */
  public JdbcDedupStoreBuilder leasedOnly() {
    settings = settings.withLeasedOnly();
    return this;
  }

  /**
   * Lets {@link #build()} create the table with its index if it is missing. Many nodes may do so at
   * once. An existing table is not changed, and is refused if it does not fit.
   *
   * @return this
   */
  public JdbcDedupStoreBuilder createIfAbsent() {
    create = true;
    return this;
  }

  /**
   * {@return the store, after a check of the database} Starts its purge.
   *
   * @throws IllegalArgumentException if the database is not supported
   * @throws IllegalStateException if the database may lose a commit, cannot keep marks at all, or
   *     refuses the statements of a transaction; the message names the setting
   * @throws io.hapax.store.StoreException if the table is missing or does not fit, or if the user
   *     lacks a privilege on it, and then the message says what to run; or if the database does not
   *     answer
   */
  public JdbcDedupStore build() {
    Schema schema = new Schema(dataSource, settings);
    Dialect dialect = schema.check();
    if (create) {
      schema.createIfAbsent(dialect);
    }
    String table =
        schema.checkTable(dialect, Grants.needed(settings.leasedOnly(), purge.isPresent()));
    schema.rehearseTransaction(dialect);
    Statements statements = new Statements(dialect, settings, table);
    Connections connections = new Connections(dataSource, dialect, settings);
    TransactionRunner runner = frame
        .<TransactionRunner>map(it -> new FramedTransactions(it, dialect, settings))
        .orElse(connections);
    JdbcDedupStore store =
        new JdbcDedupStore(schema, connections, runner, statements, settings, purge);
    store.start();
    return store;
  }
}
