package io.hapax.spring.autoconfigure;

import io.hapax.errors.HapaxException;
import io.hapax.spring.listener.RefusedListenerException;
import io.hapax.store.StoreException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains an exception of Hapax that ended the start, in place of a stack trace. */
final class HapaxFailureAnalyzer extends AbstractFailureAnalyzer<HapaxException> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, HapaxException cause) {
    return new FailureAnalysis(String.valueOf(cause.getMessage()), action(cause), cause);
  }

  private static String action(HapaxException cause) {
    if (cause instanceof RefusedListenerException refused) {
      return refused.wayOut();
    } else if (cause instanceof RefusedStoreException refused) {
      return refused.wayOut();
    }
    return cause instanceof StoreException
        ? "Check whether the store of marks runs, whether its settings and permissions are right,"
            + " and whether its table exists (docs/sql.md)."
        : "Correct what the message names.";
  }
}
