package io.hapax.internal.runtime;

import io.hapax.mark.Nonce;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Creates nonces of claims: 64 random bits of this receiver and a counter from a random start. */
public final class Nonces {

  private final long receiver;
  private final AtomicLong next;

  public Nonces() {
    SecureRandom random = new SecureRandom();
    receiver = random.nextLong();
    next = new AtomicLong(random.nextLong());
  }

  public Nonce next() {
    return new Nonce(receiver, next.incrementAndGet());
  }
}
