package io.hapax.servers;

/** All kinds of servers, each on a temporary directory. */
enum ServerKind {
  KAFKA,
  POSTGRES,
  REDIS,
  REDIS_SENTINEL,
  MARIADB,
  ROCKETMQ,
  H2;

  LocalServer start() {
    return switch (this) {
      case KAFKA -> LocalKafka.start();
      case POSTGRES -> LocalPostgres.start();
      case REDIS -> LocalRedis.start();
      case REDIS_SENTINEL -> LocalRedis.sentinel().start();
      case MARIADB -> LocalMariaDb.start();
      case ROCKETMQ -> LocalRocketMq.start();
      case H2 -> LocalH2.start();
    };
  }
}
