package io.hapax.demo.scene;

import io.hapax.errors.NotAppliedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;

/**
 * One-time tokens, each for one order of one customer. One statement checks and deletes a token, in
 * the transaction of the order: a token is used if and only if its order is placed.
 */
record Tokens(InstantSource clock, Duration life) {

  static void create(Connection connection) throws SQLException {
    Sql.createAfresh(
        connection,
        "order_token",
        "token CHAR(36) PRIMARY KEY, customer VARCHAR(60) NOT NULL, expires_millis BIGINT NOT NULL");
  }

  /** Issues a token, and removes expired ones. */
  String issue(Connection transaction, String customer) throws SQLException {
    String token = OrderDesk.newId();
    Sql.update(transaction, "DELETE FROM order_token WHERE expires_millis <= ?", clock.millis());
    Sql.update(
        transaction,
        "INSERT INTO order_token VALUES (?, ?, ?)",
        token,
        customer,
        clock.instant().plus(life).toEpochMilli());
    return token;
  }

  /** Uses a token. Refuses one that is unknown, used, expired or another customer's. */
  void use(Connection transaction, String customer, String token) throws SQLException {
    int deleted = Sql.update(
        transaction,
        "DELETE FROM order_token WHERE token = ? AND customer = ? AND expires_millis > ?",
        token,
        customer,
        clock.millis());
    if (deleted == 0) {
      throw new InvalidTokenException();
    }
  }

  static final class InvalidTokenException extends NotAppliedException {

    private static final long serialVersionUID = 1L;

    InvalidTokenException() {
      super("the token is unknown, used or expired");
    }
  }
}
