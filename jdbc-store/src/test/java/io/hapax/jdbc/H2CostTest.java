package io.hapax.jdbc;

class H2CostTest extends CostTests {

  @Override
  DatabaseServer server() {
    return Databases.h2Server();
  }

  /** Its driver sends what nobody waits for, and in the own process there is no way at all. */
  @Override
  String counted(int statements, int trips) {
    return Integer.toString(statements);
  }

  @Override
  String[] claim() {
    return new String[] {
      "fresh: 2",
      "sent again: 2",
      "busy: 1",
      "known: 1",
      "due again: 2",
      "mixed: 3",
      "lost: 1",
      "taken over: 2"
    };
  }

  @Override
  String[] renewAndSettle() {
    return new String[] {
      "renewed: 2",
      "renewed, some not current: 3",
      "settled: 1",
      "sent again: 2",
      "settled, some not current: 2",
      "settled, marks forgotten: 3"
    };
  }

  @Override
  String[] transactions() {
    return new String[] {
      "fresh: 2",
      "sent again: 1",
      "known: 1",
      "mixed: 3",
      "looked up: 1",
      "completed: 1",
      "completed, sent again: 2"
    };
  }

  @Override
  String[] locked() {
    return new String[] {"renewed: 201", "settled: 201"};
  }
}
