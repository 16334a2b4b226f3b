package io.hapax.jdbc;

import org.jdbi.v3.core.Handle;

/** Runs the store's part of a transaction between its begin and its commit. */
interface TransactionRunner {

  /**
   * Runs the body in a new READ COMMITTED transaction with the store's limits, commits it, and
   * returns what the body returned.
   *
   * @throws X what the body threw, after the rollback
   */
  <R, X extends Exception> R run(String what, Body<R, X> body) throws X;

  /** What runs in the transaction. */
  @FunctionalInterface
  interface Body<R, X extends Exception> {

    /** Writes the marks and runs the handler. */
    R in(Handle handle, Dialect.Transaction transaction, Owner owner) throws X;
  }

  /** The part that begins and ends a transaction. */
  interface Owner {

    /** The store itself: no code of the application runs between the handler and the commit. */
    Owner STORE = new Owner() {};

    /** Writes what the application has buffered, after the handler. */
    default void flush() {}

    /** Repeats a check right before the commit, if other code may run until then. */
    default void checkAtCommit(Runnable check) {}
  }
}
