package io.hapax.jdbc;

import io.hapax.store.StoreListener;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/** Sets a {@link JdbcDedupStore} up. Each setting is checked at {@link #build()} at the latest. */
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
   * The table; {@code hapax_marks} by default.
   *
   * @param name letters, digits and underscores, possibly with a schema before it
   * @return this
   */
  public JdbcDedupStoreBuilder table(String name) {
    settings = settings.withTable(name);
    return this;
  }

  /**
   * How long a DONE mark stays: the window in which a duplicate is known. Eight days by default. It
   * holds for what this store claims; another store's purge keeps such marks for as long, less the
   * time between a mark's first and last claim, an hour at most, or for its own retention if that
   * is longer.
   *
   * @param retention longer than the broker can replay; a millisecond to a hundred years
   * @return this
   */
  public JdbcDedupStoreBuilder retention(Duration retention) {
    settings = settings.withRetention(settings.retention().withDone(retention));
    return this;
  }

  /**
   * How long an open or dead mark stays that nobody touches: a dead one from when it was settled, a
   * lost claim from the end of its lease, a failed message from when it was due. Ninety days by
   * default, and never less than the retention. After that the message is forgotten although it was
   * never done: if it comes again it runs as if it were new. Each such removal is a warning with a
   * count, and told to {@link StoreListener#onForgotten}. Of stores that differ the shortest
   * counts: no mark says how long another store would keep it.
   *
   * @param retention longer than it takes you to look at dead letters; a millisecond to a hundred
   *     years
   * @return this
   */
  public JdbcDedupStoreBuilder openRetention(Duration retention) {
    settings = settings.withRetention(settings.retention().withOpen(retention));
    return this;
  }

  /**
   * How marks whose time is over are removed in the background; {@link PurgeSettings#DEFAULT} by
   * default. A thread of the store's own does it until {@link JdbcDedupStore#close()}, with one
   * connection of the data source for a few milliseconds at a time.
   *
   * @param purge how often, and how many at once
   * @return this
   */
  public JdbcDedupStoreBuilder purge(PurgeSettings purge) {
    this.purge = Optional.of(purge);
    return this;
  }

  /**
   * Removes nothing in the background: somebody else calls {@link JdbcDedupStore#purge}.
   *
   * @return this
   */
  public JdbcDedupStoreBuilder noBackgroundPurge() {
    this.purge = Optional.empty();
    return this;
  }

  /**
   * How long a verb may wait for another transaction that holds a mark; then the claim is
   * {@code Busy} for as long. One second by default.
   *
   * @param lockWait a millisecond to five minutes
   * @return this
   */
  public JdbcDedupStoreBuilder lockWait(Duration lockWait) {
    settings = settings.withLockWait(lockWait);
    return this;
  }

  /**
   * How long the server lets a transaction lie idle before it breaks it off, where it can
   * (PostgreSQL, MySQL, MariaDB): what frees the marks of a stopped process. A handler that is idle
   * for longer loses its transaction: nothing stands, and the verb ends in a
   * {@code StoreException}. One minute by default.
   *
   * @param idleLimit longer than a handler spends between two statements; a millisecond to a day
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
   * Accepts a database that may forget a commit, as the user insists. A crash of the database can
   * then lose messages that were acknowledged.
   *
   * @param allowed whether the check is left out
   * @return this
   */
  public JdbcDedupStoreBuilder allowVolatile(boolean allowed) {
    settings = settings.withVolatileAllowed(allowed);
    return this;
  }

  /**
   * Gives up the transactional verbs, and the check for them.
   *
   * @return this
   */
  public JdbcDedupStoreBuilder leasedOnly() {
    settings = settings.withLeasedOnly();
    return this;
  }

  /**
   * Makes {@link #build()} create the table with its index if it is missing. Safe from many nodes
   * at once. A table that is there stays as it is, and is refused if it does not fit.
   *
   * @return this
   */
  public JdbcDedupStoreBuilder createIfAbsent() {
    create = true;
    return this;
  }

  /**
   * Looks the database over, makes the store and starts its purge.
   *
   * @return the store
   * @throws IllegalArgumentException if the database is none of those supported
   * @throws IllegalStateException if the database may forget a commit, or cannot keep marks at all;
   *     the message names the setting
   * @throws io.hapax.store.StoreException if the table is missing or does not fit, which the
   *     message says with what to run, or the database does not answer
   */
  public JdbcDedupStore build() {
    Schema schema = new Schema(dataSource, settings);
    Dialect dialect = schema.check();
    if (create) {
      schema.createIfAbsent(dialect);
    }
    String table = schema.checkTable(dialect);
    Statements statements = new Statements(dialect, settings, table);
    Connections connections = new Connections(dataSource, dialect, settings);
    TransactionRunner runner = frame
        .<TransactionRunner>map(it -> new FramedTransactions(it, dialect, settings))
        .orElseGet(() -> new OwnTransactions(connections, dialect, settings));
    JdbcDedupStore store = new JdbcDedupStore(connections, runner, statements, settings, purge);
    store.start();
    return store;
  }
}
