package io.hapax.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import java.util.List;

class H2SchemaTest extends SchemaTests {

  @Override
  HikariDataSource open() {
    return Databases.h2("jdbc:h2:mem:schema;DB_CLOSE_DELAY=-1");
  }

  @Override
  String createUser(String name) {
    return "CREATE USER " + name + " PASSWORD '" + name + "'";
  }

  @Override
  List<Spoilt> spoilt() {
    return List.of(
        new Spoilt("ALTER TABLE ${table} DROP COLUMN detail", "column detail is missing"),
        new Spoilt(
            "ALTER TABLE ${table} ALTER COLUMN version SET DATA TYPE SMALLINT",
            "column version is smallint but must be integer"),
        new Spoilt(
            "ALTER TABLE ${table} ALTER COLUMN owner SET DATA TYPE VARCHAR(50)",
            "column owner is character varying(50) but must be character varying"),
        new Spoilt(
            "ALTER TABLE ${table} ALTER COLUMN scope SET NOT NULL",
            "column scope is NOT NULL but must be nullable"),
        new Spoilt("DROP INDEX ${table}_expires_at_us", "there is no index on expires_at_us"),
        new Spoilt("ALTER TABLE ${table} DROP PRIMARY KEY", "k is not the primary key"),
        new Spoilt(
            "CREATE UNIQUE INDEX ${table}_by_token ON ${table} (token)", "is unique without k"));
  }
}
