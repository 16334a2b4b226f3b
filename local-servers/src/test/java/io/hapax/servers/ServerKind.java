package io.hapax.servers;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** All kinds of servers, each on a temporary directory, and how each is written and read. */
enum ServerKind {
  KAFKA("num.io.threads", "none", "Invalid value none for configuration num.io.threads"),
  POSTGRES(
      "shared_buffers", "plenty", "invalid value for parameter \"shared_buffers\": \"plenty\""),
  REDIS("appendfsync", "plenty", "argument must be one of the following"),
  /** One Sentinel, whose data are the names that it watches. */
  REDIS_SENTINEL("protected-mode", "maybe", "argument must be 'yes' or 'no'"),
  MARIADB("binlog_format", "plenty", "plenty"),
  ROCKETMQ(
      "sendMessageThreadPoolNums",
      "none",
      "Setting sendMessageThreadPoolNums=none is not accepted by the broker"),
  H2("tcpPort", "none", "NumberFormatException");

  /** A setting and its value that prevent a start, and the expected message. */
  final String setting;

  final String refused;
  final String complaint;

  ServerKind(String setting, String refused, String complaint) {
    this.setting = setting;
    this.refused = refused;
    this.complaint = complaint;
  }

  LocalServer.Builder<? extends LocalServer> builder() {
    return switch (this) {
      case KAFKA -> LocalKafka.builder();
      case POSTGRES -> LocalPostgres.builder();
      case REDIS -> LocalRedis.builder();
      case REDIS_SENTINEL -> LocalRedis.sentinel();
      case MARIADB -> LocalMariaDb.builder();
      case ROCKETMQ -> LocalRocketMq.builder();
      case H2 -> LocalH2.builder();
    };
  }

  /**
   * Starts a server that keeps each answered write. With {@code everysec} Redis may answer a write
   * behind a slow sync before the file contains it.
   */
  LocalServer start() {
    return (this == REDIS ? builder().setting("appendfsync", "always") : builder()).start();
  }

  /** Stores the values in a place that it creates. Called once for a server's data. */
  void write(LocalServer server, String... values) throws Exception {
    switch (this) {
      case KAFKA -> {
        ((LocalKafka) server).createTopic("kept", 1);
        KafkaClients.send((LocalKafka) server, "kept", values);
      }
      case ROCKETMQ -> {
        ((LocalRocketMq) server).createTopic("kept", 1);
        RocketMqClients.send((LocalRocketMq) server, "kept", values);
      }
      case REDIS -> {
        for (String value : values) {
          ((LocalRedis) server).command("RPUSH", "kept", value);
        }
      }
      case REDIS_SENTINEL -> {
        for (String value : values) {
          ((LocalRedis) server).command("SENTINEL", "MONITOR", value, "127.0.0.1", "1", "1");
        }
      }
      case POSTGRES, MARIADB, H2 -> {
        if (server instanceof LocalMariaDb mariaDb) {
          mariaDb.createDatabase("kept");
        }
        try (Connection connection = connect(server);
            Statement statement = connection.createStatement()) {
          statement.execute("CREATE TABLE kept (v VARCHAR(9))");
          for (String value : values) {
            statement.execute("INSERT INTO kept VALUES ('" + value + "')");
          }
        }
      }
    }
  }

  /** Returns the two stored values in their order, and waits for a silent server. */
  List<String> read(LocalServer server) throws Exception {
    return switch (this) {
      case KAFKA -> KafkaClients.read((LocalKafka) server, "kept", "classic", 2);
      case ROCKETMQ -> RocketMqClients.read((LocalRocketMq) server, "kept", 2);
      case REDIS -> words(server, "LRANGE", "kept", "0", "-1");
      case REDIS_SENTINEL -> {
        List<String> words = words(server, "SENTINEL", "MASTERS");
        yield words.stream()
            .filter(word ->
                words.indexOf(word) > 0 && words.get(words.indexOf(word) - 1).equals("name"))
            .sorted()
            .toList();
      }
      case POSTGRES, MARIADB, H2 -> {
        try (Connection connection = connect(server)) {
          yield Sql.query(connection, "SELECT v FROM kept ORDER BY v");
        }
      }
    };
  }

  private static List<String> words(LocalServer redis, String... command) {
    return List.of(((LocalRedis) redis).command(command).split("\n", -1));
  }

  private static Connection connect(LocalServer server) throws SQLException {
    if (server instanceof LocalPostgres postgres) {
      return Sql.connect(postgres, postgres.jdbcUrl());
    } else if (server instanceof LocalMariaDb mariaDb) {
      return DriverManager.getConnection(
          mariaDb.jdbcUrl("kept"), mariaDb.username(), mariaDb.password());
    }
    return DriverManager.getConnection(((LocalH2) server).jdbcUrl("kept"));
  }
}
