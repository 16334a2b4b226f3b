package io.hapax.spring.transaction.ledger;

import java.sql.Connection;
import java.util.UUID;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** A service of the application, with its own transactions. */
@Service
public class Ledger {

  private final JdbcTemplate jdbc;

  /** Makes the service. */
  public Ledger(JdbcTemplate jdbc) {
    this.jdbc = jdbc;
  }

  /** Writes in a transaction that is already open, or in a new one. */
  @Transactional
  public void write(String message) {
    jdbc.update("insert into ledger (id, message) values (?, ?)", newId(), message);
  }

  /** Writes only if a transaction is already open. */
  @Transactional(propagation = Propagation.MANDATORY)
  public void writeMandatory(String message) {
    write(message);
  }

  /** Writes in a transaction of its own. */
  @Transactional(propagation = Propagation.REQUIRES_NEW)
  public void writeApart(String message) {
    write(message);
  }

  /** Writes without a transaction. */
  @Transactional(propagation = Propagation.NOT_SUPPORTED)
  public void writeUntransacted(String message) {
    write(message);
  }

  /** Writes with an isolation of its own, and returns the isolation that it found. */
  @Transactional(isolation = Isolation.SERIALIZABLE, timeout = 5)
  public int writeSerializable(String message) {
    write(message);
    Integer found = jdbc.execute((ConnectionCallback<Integer>) Connection::getTransactionIsolation);
    return found == null ? Connection.TRANSACTION_NONE : found;
  }

  /** Writes, but never in a transaction. */
  @Transactional(propagation = Propagation.NEVER)
  public void writeNever(String message) {
    write(message);
  }

  /** Writes behind a savepoint, and fails. */
  @Transactional(propagation = Propagation.NESTED)
  public void failNested(String message) {
    write(message);
    throw new IllegalStateException("nested");
  }

  /** Fails, and so marks the open transaction for rollback only. */
  @Transactional
  public void fail() {
    throw new IllegalStateException("no stock");
  }

  /** Returns how often a message took effect. */
  public int effects(String message) {
    Integer count = jdbc.queryForObject(
        "select count(*) from ledger where message = ?", Integer.class, message);
    return count == null ? 0 : count;
  }

  private static String newId() {
    return UUID.randomUUID().toString();
  }
}
