package io.hapax.testkit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * Opens a fixture before each test of a contract and closes it afterwards.
 *
 * @param <F> the kind of fixture
 */
abstract class FixtureContract<F extends StoreFixture> implements Bench {

  private final String scope = Bench.newScope();
  private F fixture;

  /** Creates the contract. */
  protected FixtureContract() {}

  /**
   * Opens the store, before each test. May be called many times; the fixture is closed after each
   * test.
   *
   * @return the store under test
   */
  protected abstract F open();

  @BeforeEach
  final void openStore() {
    fixture = open();
  }

  /** Prepares a test; does nothing by default. JUnit calls an override as {@code @BeforeEach}. */
  void opened() {}

  /** Cleans up after a test, before its fixture is closed; does nothing by default. */
  void closing() {}

  /** Cleans up after the fixture was closed; does nothing by default. */
  void closed() {}

  @AfterEach
  final void closeStore() {
    closing();
    fixture.close();
    closed();
  }

  /**
   * Returns the store under test.
   *
   * @return the fixture of this test
   */
  @Override
  public final F fixture() {
    return fixture;
  }

  /**
   * Returns the scope of this test.
   *
   * @return a new scope for each test
   */
  @Override
  public final String scope() {
    return scope;
  }
}
