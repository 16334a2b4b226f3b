package io.hapax.bench;

/** Rows with simple figures. */
final class Figures {

  private Figures() {}

  static Measurement rate(double messagesPerSecond) {
    Spread rate = new Spread(messagesPerSecond, messagesPerSecond * 0.9, messagesPerSecond * 1.1);
    return new Measurement(rate, new Spread(0, 0, 0), 1, 2);
  }

  static Row row(StoreKind store, Operation operation, int threads, double messagesPerSecond) {
    return new Row(store, operation, 0, threads, Aim.BATCH, rate(messagesPerSecond), null, null);
  }

  static Row row(
      StoreKind store,
      Operation operation,
      int threads,
      double messagesPerSecond,
      double floor,
      double limit) {
    return new Row(
        store, operation, 0, threads, Aim.BATCH, rate(messagesPerSecond), rate(floor), rate(limit));
  }
}
