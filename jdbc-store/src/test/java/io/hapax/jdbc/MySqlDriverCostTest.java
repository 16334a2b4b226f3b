package io.hapax.jdbc;

import org.junit.jupiter.api.Tag;

/** MariaDB through the driver of MySQL. */
@Tag("nightly")
class MySqlDriverCostTest extends CostTests {

  @Override
  DatabaseServer server() {
    return Databases.mysqlDriverServer();
  }

  @Override
  String[] claim() {
    return new String[] {
      "fresh: 2, 6 round trips",
      "sent again: 2, 6 round trips",
      "busy: 1, 4 round trips",
      "known: 1, 4 round trips",
      "due again: 2, 6 round trips",
      "mixed: 3, 8 round trips",
      "lost: 1, 4 round trips",
      "taken over: 2, 6 round trips"
    };
  }

  @Override
  String[] renewAndSettle() {
    return new String[] {
      "renewed: 2, 6 round trips",
      "renewed, some not current: 3, 8 round trips",
      "settled: 1, 5 round trips",
      "sent again: 2, 6 round trips",
      "settled, some not current: 2, 6 round trips",
      "settled, marks forgotten: 3, 8 round trips"
    };
  }

  @Override
  String[] transactions() {
    return new String[] {
      "fresh: 2, 12 round trips",
      "sent again: 1, 7 round trips",
      "known: 1, 7 round trips",
      "mixed: 3, 14 round trips",
      "looked up: 1, 4 round trips",
      "completed: 1, 11 round trips",
      "completed, sent again: 2, 9 round trips"
    };
  }

  @Override
  String[] locked() {
    return new String[] {"renewed: 201, 305 round trips", "settled: 201, 305 round trips"};
  }
}
