package io.hapax.jdbc;

/** Runs transactions that a frame of the application begins and ends. */
record FramedTransactions(TransactionFrame frame, Dialect dialect, JdbcSettings settings)
    implements TransactionRunner {

  @Override
  public <R, X extends Exception> R run(String what, Body<R, X> body) throws X {
    FramedBody<R, X> framed = new FramedBody<>(what, body, dialect, settings);
    try {
      frame.run(framed);
    } catch (Throwable e) {
      throw framed.afterFailure(e);
    }
    return framed.afterReturn();
  }
}
