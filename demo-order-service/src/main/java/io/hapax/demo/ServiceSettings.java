package io.hapax.demo;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of the order service, from its environment. Without Redis its database has the
 * marks. The port of the health check is on the loopback interface.
 */
public record ServiceSettings(
    Channel channel, Database database, Optional<String> redis, Mode mode, int healthPort) {

  static final String BROKER = "ORDERS_BROKER";
  static final String BROKER_ADDRESS = "ORDERS_BROKER_ADDRESS";
  static final String TOPIC = "ORDERS_TOPIC";
  static final String GROUP = "ORDERS_GROUP";
  static final String DATABASE_URL = "ORDERS_DATABASE_URL";
  static final String DATABASE_USER = "ORDERS_DATABASE_USER";
  static final String DATABASE_PASSWORD = "ORDERS_DATABASE_PASSWORD";
  static final String STORE = "ORDERS_STORE";
  static final String REDIS_URI = "ORDERS_REDIS_URI";
  static final String MODE = "ORDERS_MODE";
  static final String HEALTH_PORT = "ORDERS_HEALTH_PORT";

  private static final int DEFAULT_HEALTH_PORT = 8080;

  public ServiceSettings {
    if (redis.isPresent() && mode == Mode.TRANSACTIONAL) {
      throw new IllegalArgumentException(MODE + " is transactional but must be leased with " + STORE
          + "=redis: its marks cannot be in the transaction of the effects");
    }
  }

  private enum Marks {
    DATABASE,
    REDIS
  }

  static ServiceSettings of(Map<String, String> variables) {
    EnvironmentVariables environment = new EnvironmentVariables(variables);
    Marks marks = environment.choice(STORE, Marks.DATABASE);
    return new ServiceSettings(
        Channel.of(environment),
        Database.of(environment),
        marks == Marks.REDIS ? Optional.of(redis(environment)) : Optional.empty(),
        environment.choice(MODE, marks == Marks.REDIS ? Mode.LEASED : Mode.TRANSACTIONAL),
        healthPort(variables));
  }

  /** Reads the only setting that a question to a running service needs. */
  static int healthPort(Map<String, String> variables) {
    return new EnvironmentVariables(variables).port(HEALTH_PORT, DEFAULT_HEALTH_PORT);
  }

  String title(String about) {
    return "reads " + channel.topic() + " from " + channel.broker() + " at " + channel.address()
        + ", " + mode + ", ledger in " + about + ", marks "
        + (redis.isPresent() ? "in Redis" : "beside it");
  }

  private static String redis(EnvironmentVariables environment) {
    String rule = "redis://host:port with " + STORE + "=redis";
    return scheme(REDIS_URI, environment.required(REDIS_URI, rule), "redis");
  }

  /** Checks the scheme of a URI. The message has only that: the rest may contain a password. */
  private static String scheme(String name, String value, String wanted) {
    if (!value.startsWith(wanted)) {
      throw new IllegalArgumentException(name + " begins with '"
          + value.substring(0, Math.max(0, value.indexOf(':') + 1)) + "' but must begin with '"
          + wanted + ":'");
    }
    return value;
  }

  /**
   * The source of orders.
   *
   * @param address Kafka's bootstrap servers, or RocketMQ's name servers
   * @param group the consumer group, the consumer's name and the scope of the marks
   */
  public record Channel(BrokerKind broker, String address, String topic, String group) {

    static Channel of(EnvironmentVariables environment) {
      return new Channel(
          environment.choice(BROKER, BrokerKind.KAFKA),
          environment.required(
              BROKER_ADDRESS, "host:port of Kafka's brokers or of RocketMQ's name servers"),
          environment.text(TOPIC).orElse(OrderChannel.TOPIC),
          environment.text(GROUP).orElse(OrderChannel.GROUP));
    }

    OrderChannel<?> open() {
      return switch (broker) {
        case KAFKA -> new KafkaOrders(this, OrderChannel.Content.ORDERS, Map.of());
        case ROCKETMQ ->
          new RocketMqOrders(this, OrderChannel.Content.ORDERS, false, consumer -> {});
      };
    }
  }

  /**
   * The shop's database. The user is empty if the URL contains it, or none is needed. The password
   * is never printed.
   */
  record Database(String url, String user, String password) {

    private static final Duration AT_START = Duration.ofSeconds(30);

    static Database of(EnvironmentVariables environment) {
      return new Database(
          scheme(
              DATABASE_URL,
              environment.required(DATABASE_URL, "the JDBC URL of the shop's database"),
              "jdbc"),
          environment.text(DATABASE_USER).orElse(""),
          environment.text(DATABASE_PASSWORD).orElse(""));
    }

    /** Connects, and waits for a database that is not available yet. */
    HikariDataSource open() {
      HikariConfig config = ShopPool.of(url);
      config.setInitializationFailTimeout(AT_START.toMillis());
      if (!user.isEmpty()) {
        config.setUsername(user);
        config.setPassword(password);
      }
      return new HikariDataSource(config);
    }

    @Override
    public String toString() {
      return "Database[user=" + user + "]"; // the URL may contain a password, too
    }
  }
}
