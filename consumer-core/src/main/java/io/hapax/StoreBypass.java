package io.hapax;

import io.hapax.policy.StoreOutagePolicy;

/** What a receiver does without the store, under {@link StoreOutagePolicy#failOpen}. */
public enum StoreBypass {
  /** It runs a message that it could not claim: there will be no mark of it. */
  NOT_CLAIMED,
  /** It acknowledges a message whose end the store has not taken: its mark may stay open. */
  NOT_SETTLED
}
