package io.hapax.internal.runtime;

import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Names the owner of claims for operators: host, process and consumer. Creates the nonces of its
 * claims: 64 random bits of this owner and a counter from a random start.
 */
public final class ClaimOwner {

  private final String name;
  private final long random;
  private final AtomicLong next;

  public ClaimOwner(String consumer) {
    SecureRandom source = new SecureRandom();
    // For example shop-7-4711/orders; at most 255 + 21 + 200 characters.
    this.name = host() + "-" + ProcessHandle.current().pid() + "/" + consumer;
    this.random = source.nextLong();
    this.next = new AtomicLong(source.nextLong());
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown-host";
    }
  }

  public Nonce nextNonce() {
    return new Nonce(random, next.incrementAndGet());
  }

  /** Returns the origin of a claim of a message; coordinates that are too long are cut. */
  public Origin at(String coordinates) {
    int end = Math.min(coordinates.length(), Origin.MAX_LENGTH);
    return new Origin(name, coordinates.substring(0, end));
  }
}
