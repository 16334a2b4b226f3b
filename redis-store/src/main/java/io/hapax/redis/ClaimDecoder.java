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
 * Decodes the answers of {@code claim.lua}, for a lease in microseconds. A DONE mark keeps
 * {@code nonceBytes} of its nonce.
 */
record ClaimDecoder(long lease, int nonceBytes) implements Verb.Decoder<ClaimRequest, ClaimAnswer> {

  @Override
  public ClaimAnswer decode(ClaimRequest request, byte code, Supplier<byte[]> details, long now) {
    return switch (code) {
      case AnswerCode.USUAL -> fresh(request, now);
      case AnswerCode.DUE_RETRY -> acquired(request, details.get(), now, Optional.empty());
      case AnswerCode.TAKEN_OVER -> takenOver(request, details.get(), now);
      case AnswerCode.RESENT -> resent(MarkDecoder.read(request.key(), details.get()));
      case AnswerCode.BUSY ->
        new ClaimAnswer.Busy(micros(MarkDecoder.sevenBytes(ByteBuffer.wrap(details.get())) - now));
      case AnswerCode.SUSPECT ->
        new ClaimAnswer.Suspect(
            MarkDecoder.readHead(request.key(), Origin.NONE, details.get()).attempt());
      case AnswerCode.ALREADY_DONE -> done(MarkDecoder.read(request.key(), details.get()), false);
      case AnswerCode.OWN_DONE -> done(MarkDecoder.read(request.key(), details.get()), true);
      case AnswerCode.SHORT_DONE -> shortDone(details.get(), false);
      case AnswerCode.OWN_SHORT_DONE -> shortDone(details.get(), true);
      case AnswerCode.ALREADY_DEAD -> dead(MarkDecoder.read(request.key(), details.get()));
      case AnswerCode.CONFLICT ->
        new ClaimAnswer.Conflict(MarkDecoder.state(details.get()[0]));
      case AnswerCode.TOO_LATE -> new ClaimAnswer.TooLate(EpochMicros.toInstant(now));
      default -> throw new StoreException("claim.lua returned the unknown code " + code);
    };
  }

  private ClaimAnswer fresh(ClaimRequest request, long now) {
    Attempt first = new Attempt(1, request.terms().solo(), request.terms().external(), false);
    Claim claim = new Claim(
        request.key(), request.nonce(), now, first, request.fingerprint(), request.origin());
    return new Acquired(claim, FRESH, leaseUntil(now), Optional.empty());
  }

  private ClaimAnswer takenOver(ClaimRequest request, byte[] marks, long now) {
    byte[] before = Arrays.copyOfRange(marks, MarkWriter.HEAD, marks.length);
    Mark old = MarkDecoder.read(request.key(), before);
    ClaimAnswer.Previous previous = new ClaimAnswer.Previous(
        old.claim().origin().owner(),
        old.claim().token(),
        Duration.between(old.claimedAt(), EpochMicros.toInstant(now)));
    byte[] deferral = old.claim().attempt().deferral().toByteArray();
    byte[] head = ByteBuffer.allocate(MarkWriter.HEAD + deferral.length)
        .put(marks, 0, MarkWriter.HEAD)
        .put(deferral)
        .array();
    return acquired(request, head, now, Optional.of(previous));
  }

  private ClaimAnswer acquired(
      ClaimRequest request, byte[] head, long now, Optional<ClaimAnswer.Previous> previous) {
    Claim claim = MarkDecoder.readHead(request.key(), request.origin(), head);
    return new Acquired(claim, previous.isPresent() ? TAKEOVER : RETRY, leaseUntil(now), previous);
  }

  private static ClaimAnswer resent(Mark mark) {
    return new Acquired(mark.claim(), RESENT, mark.until(), Optional.empty());
  }

  private static ClaimAnswer done(Mark mark, boolean own) {
    return new ClaimAnswer.Done(mark.detail(), mark.until(), own);
  }

  private ClaimAnswer shortDone(byte[] mark, boolean own) {
    return new ClaimAnswer.Done(Bytes.EMPTY, MarkDecoder.settledAtOfShort(mark, nonceBytes), own);
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
