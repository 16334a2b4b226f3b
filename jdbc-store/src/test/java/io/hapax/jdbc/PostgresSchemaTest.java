package io.hapax.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import java.util.List;

class PostgresSchemaTest extends SchemaTests {

  @Override
  HikariDataSource open() {
    return Databases.postgres();
  }

  @Override
  String createUser(String name) {
    return "CREATE ROLE " + name + " LOGIN PASSWORD '" + name + "'";
  }

  @Override
  List<Spoilt> spoilt() {
    return List.of(
        new Spoilt("ALTER TABLE ${table} DROP COLUMN detail", "column detail is missing"),
        new Spoilt(
            "ALTER TABLE ${table} ALTER COLUMN version TYPE smallint",
            "column version is smallint but must be integer"),
        new Spoilt(
            "ALTER TABLE ${table} ALTER COLUMN owner TYPE varchar(50)",
            "column owner is character varying(50) but must be text"),
        new Spoilt(
            "ALTER TABLE ${table} ALTER COLUMN scope SET NOT NULL",
            "column scope is NOT NULL but must be nullable"),
        new Spoilt("DROP INDEX ${table}_expires_at_us", "there is no index on expires_at_us"),
        new Spoilt(
            "ALTER TABLE ${table} DROP CONSTRAINT ${table}_pkey", "k is not the primary key"),
        new Spoilt(
            "CREATE UNIQUE INDEX ${table}_by_id ON ${table} (scope, md5(message_id)) INCLUDE (k)"
                + " WHERE state = 1",
            "index ${table}_by_id is unique without k"));
  }
}
