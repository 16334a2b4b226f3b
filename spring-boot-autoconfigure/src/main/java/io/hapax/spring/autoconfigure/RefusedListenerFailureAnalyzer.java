package io.hapax.spring.autoconfigure;

import io.hapax.spring.listener.RefusedListenerException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains a refused listener in place of a stack trace. */
final class RefusedListenerFailureAnalyzer
    extends AbstractFailureAnalyzer<RefusedListenerException> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, RefusedListenerException cause) {
    return new FailureAnalysis(String.valueOf(cause.getMessage()), cause.wayOut(), cause);
  }
}
