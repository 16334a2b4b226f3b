package io.hapax.demo;

import io.hapax.demo.scene.Sql;
import io.hapax.errors.NotAppliedException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The shop's own tables: an inventory, and a ledger with one row for each effect. The ledger has no
 * unique constraint, so that a repeated effect is visible.
 *
 * <p>No method commits: the caller's transaction decides.
 */
public final class Shop {

  private static final int STOCK = 1_000_000_000;

  private Shop() {}

  public static void open(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("""
          CREATE TABLE IF NOT EXISTS inventory (
            sku VARCHAR(20) PRIMARY KEY,
            stock BIGINT NOT NULL)""");
      statement.execute("""
          CREATE TABLE IF NOT EXISTS ledger (
            order_id VARCHAR(60) NOT NULL,
            token BIGINT NOT NULL,
            attempt INTEGER NOT NULL,
            recovery BOOLEAN NOT NULL,
            consumer BIGINT NOT NULL,
            number SERIAL)""");
    }
    List<String> there = Sql.rows(connection, "SELECT sku FROM inventory");
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO inventory (sku, stock) VALUES (?, ?)")) {
      for (String sku : Orders.ARTICLES) {
        if (!there.contains(sku)) {
          insert.setString(1, sku);
          insert.setLong(2, STOCK);
          insert.addBatch();
        }
      }
      insert.executeBatch();
    }
  }

  /**
   * Writes the effects of orders: a ledger row for each, then their stock. Articles are locked in
   * one sequence.
   *
   * @throws NotAppliedException if the shop does not have an article; the caller must roll back
   */
  public static void apply(Connection connection, List<Effect> effects) throws SQLException {
    writeLedger(connection, effects);
    takeStock(connection, effects);
  }

  private static void writeLedger(Connection connection, List<Effect> effects) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(
        "INSERT INTO ledger (order_id, token, attempt, recovery, consumer) VALUES (?, ?, ?, ?, ?)")) {
      for (Effect effect : effects) {
        LedgerRow row = effect.row();
        insert.setString(1, row.orderId());
        insert.setLong(2, row.token());
        insert.setInt(3, row.attempt());
        insert.setBoolean(4, row.recovery());
        insert.setLong(5, row.consumer());
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  private static void takeStock(Connection connection, List<Effect> effects) throws SQLException {
    Map<String, Integer> taken = new TreeMap<>();
    for (Effect effect : effects) {
      for (Order.Item item : effect.order().items()) {
        if (!Orders.ARTICLES.contains(item.sku())) {
          throw new NotAppliedException(
              effect.order().id() + " orders " + item.sku() + ", which the shop does not have");
        }
        taken.merge(item.sku(), item.quantity(), Integer::sum);
      }
    }
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE inventory SET stock = stock - ? WHERE sku = ?")) {
      for (Map.Entry<String, Integer> entry : taken.entrySet()) {
        update.setInt(1, entry.getValue());
        update.setString(2, entry.getKey());
        update.addBatch();
      }
      update.executeBatch();
    }
  }

  /** Returns all effects in the sequence in which they were written. */
  public static List<LedgerRow> ledger(Connection connection) throws SQLException {
    List<LedgerRow> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(
            "SELECT order_id, token, attempt, recovery, consumer FROM ledger ORDER BY number")) {
      while (result.next()) {
        rows.add(new LedgerRow(
            result.getString(1),
            result.getLong(2),
            result.getInt(3),
            result.getBoolean(4),
            result.getLong(5)));
      }
    }
    return rows;
  }

  public static List<String> ordersOf(Connection connection, long consumer) throws SQLException {
    return Sql.rows(
        connection, "SELECT DISTINCT order_id FROM ledger WHERE consumer = ?", consumer);
  }

  public static long piecesTaken(Connection connection) throws SQLException {
    return Sql.number(connection, "SELECT SUM(" + STOCK + " - stock) FROM inventory");
  }
}
