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
import java.util.stream.LongStream;

/**
 * Creates messages to claim. Their ids have sixteen characters, about as many as an order number.
 */
final class Messages {

  static final String SCOPE = "bench";
  static final Duration LEASE = Duration.ofMinutes(10);
  static final Duration RETENTION = Duration.ofDays(8);
  static final Fingerprint FINGERPRINT = new Fingerprint(0x4861_7061_782e_2e2eL);

  private static final int FILL_BATCH = 1000;
  private static final Origin ORIGIN = new Origin("4711/bench", "orders-3@1507");
  private static final AtomicLong NEXT = new AtomicLong();

  private Messages() {}

  static List<ClaimRequest> fresh(int number, boolean transactional) {
    long first = NEXT.getAndAdd(number);
    return LongStream.range(first, first + number)
        .mapToObj(i -> request(id("fresh-", i), transactional))
        .toList();
  }

  /** Returns distinct messages, chosen at random from the known ones. */
  static List<ClaimRequest> known(int number, boolean transactional, long known) {
    return ThreadLocalRandom.current()
        .longs(0, known)
        .distinct()
        .limit(number)
        .mapToObj(i -> request(knownId(i), transactional))
        .toList();
  }

  /** Returns all messages that a store is filled with, in batches. */
  static Iterable<List<ClaimRequest>> allKnown(long known) {
    return () -> LongStream.iterate(0, from -> from < known, from -> from + FILL_BATCH)
        .mapToObj(from -> LongStream.range(from, Math.min(known, from + FILL_BATCH))
            .mapToObj(i -> request(knownId(i), false))
            .toList())
        .iterator();
  }

  static String knownId(long index) {
    return id("known-", index);
  }

  private static ClaimRequest request(String id, boolean transactional) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    return new ClaimRequest(
        MessageKey.of(SCOPE, id),
        new Nonce(random.nextLong(), random.nextLong()),
        FINGERPRINT,
        ORIGIN,
        new ClaimTerms(false, !transactional, ClaimTerms.ANY_TIME));
  }

  private static String id(String prefix, long number) {
    String text = Long.toString(number);
    return prefix + "0".repeat(Math.max(0, 10 - text.length())) + text;
  }
}
