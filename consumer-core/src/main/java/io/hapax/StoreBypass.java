package io.hapax;

import io.hapax.policy.StoreOutagePolicy;

/** What a receiver did without the store, under {@link StoreOutagePolicy#failOpen}. */
public enum StoreBypass {
  /** It ran a message that it could not claim: the message has no mark. */
  NOT_CLAIMED,
  /** It acknowledged a message that it could not settle: its mark may stay open. */
  NOT_SETTLED
}
