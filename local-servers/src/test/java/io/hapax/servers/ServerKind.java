package io.hapax.servers;

/** Every kind of server there is, each on a temporary directory. */
enum ServerKind {
  KAFKA,
  POSTGRES,
  MARIADB;

  LocalServer start() {
    return switch (this) {
      case KAFKA -> LocalKafka.start();
      case POSTGRES -> LocalPostgres.start();
      case MARIADB -> LocalMariaDb.start();
    };
  }
}
