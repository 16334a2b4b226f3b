package io.hapax.jdbc;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkMachine;
import io.hapax.mark.MessageKey;
import io.hapax.mark.RenewAnswer;
import io.hapax.mark.Resolution;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.store.MarkQuery;
import io.hapax.store.TransactionalDedupStore;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * Marks in a table of PostgreSQL or H2, one row a mark, judged by the database's clock.
 *
 * <p>Claims, renewals and settlements commit by themselves: a claim of a batch costs one statement
 * on PostgreSQL and two on H2, one more if marks were there that may be taken; a settlement costs
 * one and so does a renewal (two on H2), and two more for claims that are not current.
 * {@link #runOnce} and {@link #completeWith} put the marks into the handler's transaction, which is
 * READ COMMITTED; the connection goes back to the data source with the autocommit and isolation it
 * had.
 *
 * <p>Transactional verbs need a database that does not forget a commit: after the ack the message
 * does not come again. {@link Builder#build} refuses others.
 */
public final class JdbcDedupStore implements TransactionalDedupStore<Connection> {

  private final Verbs verbs;
  private final OneTransaction transactions;
  private final Statements statements;
  private final JdbcSettings settings;

  private JdbcDedupStore(Borrowing borrowing, Statements statements, JdbcSettings settings) {
    Decider decider = new Decider(statements);
    this.verbs = new Verbs(borrowing, statements, decider, settings);
    this.transactions = new OneTransaction(borrowing, statements, decider, settings);
    this.statements = statements;
    this.settings = settings;
  }

  /**
   * Begins to set a store up.
   *
   * @param dataSource where connections come from, best a pool; it stays the caller's
   * @return a builder with the defaults
   */
  public static Builder builder(DataSource dataSource) {
    return new Builder(dataSource);
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
    return requests.isEmpty() ? List.of() : verbs.claim(requests, positive(lease));
  }

  @Override
  public List<RenewAnswer> renew(List<Claim> claims, Duration lease) {
    return claims.isEmpty() ? List.of() : verbs.renew(claims, positive(lease));
  }

  @Override
  public List<SettleAnswer> settle(List<Settlement> settlements) {
    return settlements.isEmpty() ? List.of() : verbs.settle(settlements);
  }

  @Override
  public List<Optional<Mark>> find(List<MessageKey> keys) {
    return keys.isEmpty() ? List.of() : verbs.find(keys);
  }

  @Override
  public List<Mark> list(MarkQuery query) {
    return verbs.list(query);
  }

  @Override
  public boolean resolve(MessageKey key, long expectedToken, Resolution resolution) {
    return verbs.resolve(
        key,
        Decision.atAnyTime(
            Function.identity(),
            (mark, same, now) -> MarkMachine.resolve(mark, expectedToken, resolution, now)));
  }

  @Override
  public int purge(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit is " + limit + " but must be positive");
    }
    return verbs.purge(limit);
  }

  @Override
  public <X extends Exception> List<ClaimAnswer> runOnce(
      List<ClaimRequest> requests, BatchWork<Connection, X> work) throws X {
    notLeasedOnly();
    return requests.isEmpty() ? List.of() : transactions.runOnce(requests, work);
  }

  @Override
  public <X extends Exception> SettleAnswer completeWith(Claim claim, Work<Connection, X> work)
      throws X {
    notLeasedOnly();
    return transactions.completeWith(claim, work);
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
    return settings.retention();
  }

  /** Does nothing: the data source is the caller's. */
  @Override
  public void close() {
    // Every connection was given back by the verb that borrowed it.
  }

  /** Sets a store up. Each setting is checked at {@link #build()} at the latest. */
  public static final class Builder {

    private final DataSource dataSource;
    private JdbcSettings settings = JdbcSettings.DEFAULT;
    private boolean create;

    private Builder(DataSource dataSource) {
      this.dataSource = dataSource;
    }

    /**
     * The table; {@code hapax_marks} by default.
     *
     * @param name letters, digits and underscores, possibly with a schema before it
     * @return this
     */
    public Builder table(String name) {
      settings = settings.withTable(name);
      return this;
    }

    /**
     * How long a DONE mark stays: the window in which a duplicate is known. Eight days by default.
     *
     * @param retention longer than the broker can replay
     * @return this
     */
    public Builder retention(Duration retention) {
      settings = settings.withRetention(retention);
      return this;
    }

    /**
     * How long a verb may wait for another transaction that holds a mark. One second by default.
     *
     * @param lockWait at least a millisecond
     * @return this
     */
    public Builder lockWait(Duration lockWait) {
      settings = settings.withLockWait(lockWait);
      return this;
    }

    /**
     * How long the server lets a transaction lie idle before it breaks it off, where it can
     * (PostgreSQL): what frees the marks of a stopped process. One minute by default.
     *
     * @param idleLimit longer than a handler spends between two statements
     * @return this
     */
    public Builder idleLimit(Duration idleLimit) {
      settings = settings.withIdleLimit(idleLimit);
      return this;
    }

    /**
     * Accepts a database that may forget a commit, as the user insists. A crash of the database can
     * then lose messages that were acknowledged.
     *
     * @param allowed whether the check is left out
     * @return this
     */
    public Builder allowVolatile(boolean allowed) {
      settings = settings.withVolatileAllowed(allowed);
      return this;
    }

    /**
     * Gives up the transactional verbs, and the check for them.
     *
     * @return this
     */
    public Builder leasedOnly() {
      settings = settings.withLeasedOnly();
      return this;
    }

    /**
     * Makes {@link #build()} create the table and its index if they are missing. Safe from many
     * nodes at once.
     *
     * @return this
     */
    public Builder createIfAbsent() {
      create = true;
      return this;
    }

    /**
     * Looks the database over and makes the store.
     *
     * @return the store
     * @throws IllegalArgumentException if the database is none of those supported
     * @throws IllegalStateException if the database may forget a commit; the message names the
     *     setting
     * @throws io.hapax.store.StoreException if the table is missing or the database does not answer
     */
    public JdbcDedupStore build() {
      Schema schema = new Schema(dataSource, settings);
      Dialect dialect = schema.check();
      if (create) {
        schema.createIfAbsent();
      }
      schema.checkTable();
      Statements statements = new Statements(dialect, settings);
      Borrowing borrowing = new Borrowing(dataSource, dialect, settings);
      return new JdbcDedupStore(borrowing, statements, settings);
    }
  }
}
