package io.hapax.jdbc;

class PostgresCostTest extends CostTests {

  @Override
  DatabaseServer server() {
    return Databases.postgresServer();
  }

  @Override
  String[] claim() {
    return new String[] {
      "fresh: 1, 1 round trips",
      "sent again: 2, 2 round trips",
      "busy: 1, 1 round trips",
      "known: 1, 1 round trips",
      "due again: 2, 2 round trips",
      "mixed: 2, 2 round trips",
      "lost: 1, 1 round trips",
      "taken over: 2, 2 round trips"
    };
  }

  @Override
  String[] renewAndSettle() {
    return new String[] {
      "renewed: 1, 1 round trips",
      "renewed, some not current: 2, 2 round trips",
      "settled: 1, 1 round trips",
      "sent again: 2, 2 round trips",
      "settled, some not current: 2, 2 round trips",
      "settled, marks forgotten: 3, 3 round trips"
    };
  }

  @Override
  String[] transactions() {
    return new String[] {
      "fresh: 1, 5 round trips",
      "sent again: 1, 3 round trips",
      "known: 1, 3 round trips",
      "mixed: 2, 6 round trips",
      "looked up: 1, 1 round trips",
      "completed: 1, 5 round trips",
      "completed, sent again: 2, 4 round trips"
    };
  }

  @Override
  String[] locked() {
    return new String[] {"renewed: 3, 3 round trips", "settled: 3, 3 round trips"};
  }
}
