package io.hapax.testkit;

import io.hapax.testkit.fault.FaultProxy;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests of a store on a server behind a {@link FaultProxy}. */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
abstract class LossyContract<F extends RemoteStoreFixture> extends FixtureContract<F> {

  FaultProxy proxy;

  /** For subclasses. */
  protected LossyContract() {}

  /**
   * Returns how long a store may take to recover once its connections work again.
   *
   * @return half a minute, unless a subclass overrides it
   */
  protected Duration recoveryTimeout() {
    return Duration.ofSeconds(30);
  }

  final RetryingCaller caller() {
    return new RetryingCaller(recoveryTimeout());
  }

  @BeforeEach
  @Override
  void opened() {
    proxy = FaultProxy.before(fixture().ports());
  }

  @Override
  final void closed() {
    proxy.close();
  }
}
