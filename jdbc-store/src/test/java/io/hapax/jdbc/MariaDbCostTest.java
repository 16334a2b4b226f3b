package io.hapax.jdbc;

import org.junit.jupiter.api.Tag;

@Tag("nightly")
class MariaDbCostTest extends CostTests {

  @Override
  DatabaseServer server() {
    return Databases.mariaDbServer();
  }

  @Override
  String[] claim() {
    return new String[] {
      "fresh: 2, 5 round trips",
      "sent again: 2, 5 round trips",
      "busy: 1, 4 round trips",
      "known: 1, 4 round trips",
      "due again: 2, 5 round trips",
      "mixed: 3, 6 round trips",
      "lost: 1, 4 round trips",
      "taken over: 2, 5 round trips"
    };
  }

  @Override
  String[] renewAndSettle() {
    return new String[] {
      "renewed: 2, 5 round trips",
      "renewed, some not current: 3, 6 round trips",
      "settled: 1, 4 round trips",
      "sent again: 2, 5 round trips",
      "settled, some not current: 2, 5 round trips",
      "settled, marks forgotten: 3, 6 round trips"
    };
  }

  @Override
  String[] transactions() {
    return new String[] {
      "fresh: 2, 11 round trips",
      "sent again: 1, 7 round trips",
      "known: 1, 7 round trips",
      "mixed: 3, 12 round trips",
      "looked up: 1, 4 round trips",
      "completed: 1, 10 round trips",
      "completed, sent again: 2, 8 round trips"
    };
  }

  @Override
  String[] locked() {
    return new String[] {"renewed: 201, 204 round trips", "settled: 201, 204 round trips"};
  }
}
