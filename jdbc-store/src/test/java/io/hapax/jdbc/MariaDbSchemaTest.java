package io.hapax.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** MariaDB through either driver. */
@Tag("nightly")
@ParameterizedClass
@EnumSource
class MariaDbSchemaTest extends SchemaTests {

  @Parameter
  MariaDbDriver driver;

  @Override
  HikariDataSource open() {
    return driver.pool();
  }

  @Override
  String createUser(String name) {
    return "CREATE USER " + name + " IDENTIFIED BY '" + name + "'";
  }

  @Override
  List<Spoilt> spoilt() {
    return List.of(
        new Spoilt("ALTER TABLE ${table} DROP COLUMN detail", "column detail is missing"),
        new Spoilt(
            "ALTER TABLE ${table} MODIFY version SMALLINT NOT NULL",
            "column version is smallint but must be int"),
        new Spoilt(
            "ALTER TABLE ${table} MODIFY owner VARCHAR(50)",
            "column owner is varchar(50) but must be mediumtext"),
        new Spoilt(
            "ALTER TABLE ${table} MODIFY nonce BINARY(15) NOT NULL",
            "column nonce is binary(15) but must be binary(16)"),
        new Spoilt(
            "ALTER TABLE ${table} MODIFY scope VARCHAR(200) NOT NULL",
            "column scope is NOT NULL but must be nullable"),
        new Spoilt(
            "ALTER TABLE ${table} DROP KEY ${table}_expires_at_us",
            "there is no index on expires_at_us"),
        new Spoilt("ALTER TABLE ${table} DROP PRIMARY KEY", "k is not the primary key"),
        new Spoilt(
            "CREATE UNIQUE INDEX ${table}_by_id ON ${table} (scope, message_id(100))",
            "index ${table}_by_id is unique without k"),
        new Spoilt(
            "CREATE UNIQUE INDEX ${table}_by_part ON ${table} (k(8))",
            "index ${table}_by_part is unique without k"));
  }
}
