package io.hapax.redis;

import static io.hapax.mark.ClaimAnswer.Kind.FRESH;
import static io.hapax.mark.ClaimAnswer.Kind.RESENT;
import static io.hapax.mark.ClaimAnswer.Kind.RETRY;
import static io.hapax.mark.ClaimAnswer.Kind.TAKEOVER;

import io.hapax.mark.Attempt;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.EpochMicros;
import io.hapax.mark.Mark;
import io.hapax.store.StoreException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@code claim.lua} says of a request.
 *
 * @param lease the lease that was asked for, microseconds
 */
record ClaimReading(long lease) implements Verb.Reading<ClaimRequest, ClaimAnswer> {

  @Override
  public ClaimAnswer read(ClaimRequest request, @Nullable Object said, long now) {
    if (!(said instanceof byte[] bytes)) {
      return fresh(request, now);
    }
    return switch (bytes[0]) {
      case 'A' -> acquired(request, bytes, now, Optional.empty());
      case 'T' -> acquired(request, bytes, now, Optional.of(previous(request, bytes, now)));
      case 'S' -> resent(MarkReader.read(request.key(), bytes, 1));
      case 'B' ->
        new ClaimAnswer.Busy(micros(MarkReader.sevenBytes(ByteBuffer.wrap(bytes, 1, 7)) - now));
      case 'U' -> new ClaimAnswer.Suspect();
      case 'D', 'O' -> done(MarkReader.read(request.key(), bytes, 1), bytes[0] == 'O');
      case 'X' -> dead(MarkReader.read(request.key(), bytes, 1));
      case 'C' -> new ClaimAnswer.Conflict(MarkReader.state(bytes[1]));
      case 'L' -> new ClaimAnswer.TooLate(EpochMicros.toInstant(now));
      default -> throw new StoreException("claim.lua has given the unknown answer " + bytes[0]);
    };
  }

  private ClaimAnswer fresh(ClaimRequest request, long now) {
    Attempt first = new Attempt(1, request.terms().solo(), request.terms().external(), false);
    Claim claim = new Claim(
        request.key(), request.nonce(), now, first, request.fingerprint(), request.origin());
    return new Acquired(claim, FRESH, leaseUntil(now), Optional.empty());
  }

  private ClaimAnswer acquired(
      ClaimRequest request, byte[] said, long now, Optional<ClaimAnswer.Previous> previous) {
    Claim claim = MarkReader.readHead(request.key(), request.origin(), said, 1);
    return new Acquired(claim, previous.isPresent() ? TAKEOVER : RETRY, leaseUntil(now), previous);
  }

  private static ClaimAnswer.Previous previous(ClaimRequest request, byte[] said, long now) {
    Mark old = MarkReader.read(request.key(), said, 1 + MarkWriter.HEAD);
    return new ClaimAnswer.Previous(
        old.claim().origin().owner(),
        old.claim().token(),
        Duration.between(old.claimedAt(), EpochMicros.toInstant(now)));
  }

  private static ClaimAnswer resent(Mark mark) {
    return new Acquired(mark.claim(), RESENT, mark.until(), Optional.empty());
  }

  private static ClaimAnswer done(Mark mark, boolean own) {
    return new ClaimAnswer.Done(mark.detail(), mark.until(), own);
  }

  private static ClaimAnswer dead(Mark mark) {
    return new ClaimAnswer.Dead(new String(mark.detail().toByteArray(), StandardCharsets.UTF_8));
  }

  private Instant leaseUntil(long now) {
    return EpochMicros.toInstant(now + lease);
  }

  private static Duration micros(long span) {
    return Duration.of(span, ChronoUnit.MICROS);
  }
}
