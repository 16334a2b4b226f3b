package io.hapax.bench;

import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Creates messages to claim. Their ids have sixteen characters, about as many as an order number.
 */
final class Messages {

  static final String SCOPE = "bench";
  static final String KNOWN = "known-";
  static final int DIGITS = 10;
  static final Duration LEASE = Duration.ofMinutes(10);
  static final Duration RETENTION = Duration.ofDays(8);
  static final Fingerprint FINGERPRINT = new Fingerprint(0x4861_7061_782e_2e2eL);
  static final Origin ORIGIN = new Origin("4711/bench", "orders-3@1507");

  private final AtomicLong next = new AtomicLong();
  private final boolean transactional;
  private final String prefix;

  Messages(boolean transactional) {
    this.transactional = transactional;
    this.prefix = transactional ? "tx-id-" : "fresh-";
  }

  List<ClaimRequest> fresh(int number) {
    long first = next.getAndAdd(number);
    return Stream.iterate(first, i -> i + 1)
        .limit(number)
        .map(i -> request(prefix + digits(i)))
        .toList();
  }

  /** Returns distinct messages, chosen at random from the known ones. */
  List<ClaimRequest> known(int number, long known) {
    return ThreadLocalRandom.current()
        .longs(0, known)
        .distinct()
        .limit(number)
        .mapToObj(this::known)
        .toList();
  }

  /** Returns one of the messages that a store was filled with. */
  ClaimRequest known(long index) {
    return request(knownId(index));
  }

  /** Returns the id of a known message. */
  static String knownId(long index) {
    return KNOWN + digits(index);
  }

  private ClaimRequest request(String id) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    return new ClaimRequest(
        MessageKey.of(SCOPE, id),
        new Nonce(random.nextLong(), random.nextLong()),
        FINGERPRINT,
        ORIGIN,
        new ClaimTerms(false, !transactional, ClaimTerms.ANY_TIME));
  }

  private static String digits(long number) {
    String text = Long.toString(number);
    return "0".repeat(Math.max(0, DIGITS - text.length())) + text;
  }
}
