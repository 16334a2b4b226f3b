package io.hapax.spring.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains a refused store in place of a stack trace. */
final class RefusedStoreFailureAnalyzer extends AbstractFailureAnalyzer<RefusedStoreException> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, RefusedStoreException cause) {
    return new FailureAnalysis(String.valueOf(cause.getMessage()), cause.wayOut(), cause);
  }
}
