package io.hapax.demo.scene;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * How an article's stock is reduced without going below zero, whatever other transactions do at the
 * same time. None of them notices that an order was deducted before.
 */
enum Deduction {
  /**
   * One update with a condition. The database locks the row, compares and changes it, so no
   * transaction fails because of another one.
   */
  CONDITION {
    @Override
    public boolean take(Connection transaction, String sku, int quantity) throws SQLException {
      return Sql.update(
              transaction,
              "UPDATE stock SET available = available - ? WHERE sku = ? AND available >= ?",
              quantity,
              sku,
              quantity)
          == 1;
    }
  },
  /**
   * A read, and an update under the condition that the version is still the same. The second of two
   * concurrent transactions fails and must be repeated. It pays where the new value takes more than
   * one statement to compute.
   */
  VERSION {
    @Override
    public boolean take(Connection transaction, String sku, int quantity) throws SQLException {
      String[] row = Sql.rows(
              transaction, "SELECT available, version FROM stock WHERE sku = ?", sku)
          .get(0)
          .split(" ", -1);
      int available = Integer.parseInt(row[0]);
      if (available < quantity) {
        return false;
      }
      long version = Long.parseLong(row[1]);
      int changed = Sql.update(
          transaction,
          "UPDATE stock SET available = ?, version = ? WHERE sku = ? AND version = ?",
          available - quantity,
          version + 1,
          sku,
          version);
      if (changed == 0) {
        throw new StaleVersionException(sku, version);
      }
      return true;
    }
  };

  /**
   * Takes pieces of an article, which exists. Returns false if fewer pieces are available; nothing
   * has changed then. If another transaction was faster, it throws: roll back and try again.
   */
  public abstract boolean take(Connection transaction, String sku, int quantity)
      throws SQLException;
}
