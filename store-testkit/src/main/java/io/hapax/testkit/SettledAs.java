package io.hapax.testkit;

import io.hapax.mark.MarkState;
import io.hapax.mark.Verdict;

/** A settlement of a claim that succeeds, and the state of its mark afterwards. */
enum SettledAs {
  DONE(Bench.DONE, MarkState.DONE),
  DONE_WITH_RESULT(Bench.RECEIPT, MarkState.DONE),
  RETRY(Bench.RETRY_LATER, MarkState.RETRY),
  DEFERRED(Bench.DEFER, MarkState.RETRY),
  RELEASED(Bench.RELEASE, MarkState.RETRY),
  DEAD(Bench.DEAD, MarkState.DEAD);

  @SuppressWarnings("ImmutableEnumChecker") // a record of immutable values
  private final Verdict verdict;

  private final MarkState state;

  SettledAs(Verdict verdict, MarkState state) {
    this.verdict = verdict;
    this.state = state;
  }

  Verdict verdict() {
    return verdict;
  }

  MarkState state() {
    return state;
  }
}
