package io.hapax.internal.store;

import io.hapax.internal.runtime.Environment;
import io.hapax.internal.runtime.Nonces;
import io.hapax.mark.Attempt;
import io.hapax.mark.Claim;
import io.hapax.mark.EpochMicros;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Origin;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.store.DedupStore;
import io.hapax.store.StoreException;
import java.util.List;
import java.util.function.DoubleSupplier;

/**
 * Checks by a write whether a store accepts marks again after an outage. A write is necessary: a
 * store that is full or read-only still answers reads. The probe writes a DONE mark, so that a
 * crash leaves no open claim behind.
 */
final class StoreWriteProbe {

  private static final Attempt FIRST = new Attempt(1, false, false, false);

  private final DedupStore store;
  private final String scope;
  private final DoubleSupplier random;
  private final StoreClock clock;
  private final Nonces nonces = new Nonces();

  StoreWriteProbe(DedupStore store, String scope, Environment env) {
    this.store = store;
    this.scope = scope;
    this.random = env.random();
    this.clock = new StoreClock(env.ticker());
  }

  /**
   * Writes a mark, with another id for each call, because only one partition of a store may be
   * unavailable.
   *
   * @throws StoreException if the store did not answer, or did not write the mark
   */
  void write() {
    String id = "hapax: does the store keep marks? " + random.getAsDouble();
    MessageKey key = MessageKey.of(scope, id);
    long token = EpochMicros.of(clock.ask(store, key));
    Claim claim = new Claim(key, nonces.next(), token, FIRST, Fingerprint.NONE, Origin.NONE);
    List<Settlement> settlement = List.of(new Settlement(claim, Verdict.Done.WITHOUT_RESULT));
    SettleAnswer answer =
        CheckedStore.complete("settle", 1, store.settle(settlement)).get(0);
    if (!(answer instanceof SettleAnswer.Settled)) {
      throw new StoreException("the store did not keep a mark but answered " + answer);
    }
  }
}
