package io.hapax.redis;

import static io.hapax.mark.ClaimAnswer.Kind.FRESH;
import static io.hapax.mark.ClaimAnswer.Kind.RESENT;
import static io.hapax.mark.ClaimAnswer.Kind.RETRY;
import static io.hapax.mark.ClaimAnswer.Kind.TAKEOVER;

import io.hapax.mark.Attempt;
import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.EpochMicros;
import io.hapax.mark.Mark;
import io.hapax.mark.Origin;
import io.hapax.store.StoreException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads what {@code claim.lua} says of a request.
 *
 * @param lease the lease that was asked for, microseconds
 * @param nonceBytes how many bytes of its nonce a DONE mark keeps
 */
record ClaimReading(long lease, int nonceBytes) implements Verb.Reading<ClaimRequest, ClaimAnswer> {

  @Override
  public ClaimAnswer read(ClaimRequest request, byte letter, Supplier<byte[]> more, long now) {
    return switch (letter) {
      case USUAL -> fresh(request, now);
      case 'A' -> acquired(request, more.get(), now, Optional.empty());
      case 'T' -> takenOver(request, more.get(), now);
      case 'S' -> resent(MarkReader.read(request.key(), more.get()));
      case 'B' ->
        new ClaimAnswer.Busy(micros(MarkReader.sevenBytes(ByteBuffer.wrap(more.get())) - now));
      case 'U' ->
        new ClaimAnswer.Suspect(
            MarkReader.readHead(request.key(), Origin.NONE, more.get()).attempt());
      case 'D', 'O' -> done(MarkReader.read(request.key(), more.get()), letter == 'O');
      case 'd', 'o' ->
        new ClaimAnswer.Done(
            Bytes.EMPTY, MarkReader.settledAtOfShort(more.get(), nonceBytes), letter == 'o');
      case 'X' -> dead(MarkReader.read(request.key(), more.get()));
      case 'C' -> new ClaimAnswer.Conflict(MarkReader.state(more.get()[0]));
      case 'L' -> new ClaimAnswer.TooLate(EpochMicros.toInstant(now));
      default -> throw new StoreException("claim.lua has given the unknown answer " + letter);
    };
  }

  private ClaimAnswer fresh(ClaimRequest request, long now) {
    Attempt first = new Attempt(1, request.terms().solo(), request.terms().external(), false);
    Claim claim = new Claim(
        request.key(), request.nonce(), now, first, request.fingerprint(), request.origin());
    return new Acquired(claim, FRESH, leaseUntil(now), Optional.empty());
  }

  private ClaimAnswer takenOver(ClaimRequest request, byte[] said, long now) {
    byte[] before = Arrays.copyOfRange(said, MarkWriter.HEAD, said.length);
    Mark old = MarkReader.read(request.key(), before);
    ClaimAnswer.Previous previous = new ClaimAnswer.Previous(
        old.claim().origin().owner(),
        old.claim().token(),
        Duration.between(old.claimedAt(), EpochMicros.toInstant(now)));
    byte[] deferral = old.claim().attempt().deferral().toByteArray();
    byte[] head = ByteBuffer.allocate(MarkWriter.HEAD + deferral.length)
        .put(said, 0, MarkWriter.HEAD)
        .put(deferral)
        .array();
    return acquired(request, head, now, Optional.of(previous));
  }

  private ClaimAnswer acquired(
      ClaimRequest request, byte[] said, long now, Optional<ClaimAnswer.Previous> previous) {
    Claim claim = MarkReader.readHead(request.key(), request.origin(), said);
    return new Acquired(claim, previous.isPresent() ? TAKEOVER : RETRY, leaseUntil(now), previous);
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
