package io.hapax.redis;

import io.hapax.mark.Attempt;
import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkMachine;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Origin;
import io.hapax.mark.Settlement;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;

/** Marks as bytes for the scripts, which say in {@code prelude.lua} where everything stands. */
final class MarkWriter {

  static final int HEAD = 51;

  private MarkWriter() {}

  /** The mark that a fresh claim writes; its "until" is the request's last moment. */
  static byte[] request(ClaimRequest request) {
    Attempt first = new Attempt(1, request.terms().solo(), request.terms().external(), false);
    Claim claim = new Claim(
        request.key(), request.nonce(), 0, first, request.fingerprint(), request.origin());
    return open('P', claim, Micros.of(request.terms().notAfter()), Bytes.EMPTY);
  }

  /** The mark that a renewal writes if it was lost. */
  static byte[] held(Claim claim) {
    return open('P', claim, 0, Bytes.EMPTY);
  }

  /**
   * The mark that the verdict makes of the claim at the beginning of time; its state is the
   * verdict.
   */
  static byte[] settlement(Settlement settlement) {
    Claim claim = settlement.claim();
    Mark held = new Mark(claim, MarkState.PROCESSING, Instant.EPOCH, Instant.EPOCH, Bytes.EMPTY);
    Mark next = MarkMachine.settle(held, settlement, Instant.EPOCH).next();
    return settlement
        .verdict()
        .match(
            done -> done(next),
            retry -> open('R', next),
            release -> open('F', next),
            dead -> open('X', next));
  }

  /** What a mark that is opened again says of a message whose origin nobody knows any more. */
  static byte[] tailWithoutOrigin(MessageKey key) {
    Claim claim = Mark.absent(key).claim();
    byte[] mark = open('R', claim, 0, Bytes.EMPTY);
    return ByteBuffer.allocate(mark.length - HEAD)
        .put(mark, HEAD, mark.length - HEAD)
        .array();
  }

  /** A token as it stands in a mark. */
  static byte[] token(long token) {
    ByteBuffer target = ByteBuffer.allocate(7);
    sevenBytes(target, token);
    return target.array();
  }

  private static byte[] done(Mark mark) {
    byte[] result = mark.detail().toByteArray();
    ByteBuffer target = ByteBuffer.allocate(HEAD + result.length);
    head(target, 'D', mark.claim(), 0);
    return target.put(result).array();
  }

  private static byte[] open(char state, Mark mark) {
    long delay = Micros.of(Duration.between(Instant.EPOCH, mark.until()));
    return open(state, mark.claim(), delay, mark.detail());
  }

  private static byte[] open(char state, Claim claim, long until, Bytes detail) {
    Origin origin = claim.origin();
    byte[] owner = origin.owner().getBytes(StandardCharsets.UTF_8);
    byte[] coordinates = origin.coordinates().getBytes(StandardCharsets.UTF_8);
    byte[] id = claim.key().id().toByteArray();
    int tail = 3 * Short.BYTES + owner.length + coordinates.length + id.length + detail.length();
    ByteBuffer target = ByteBuffer.allocate(HEAD + tail);
    head(target, state, claim, until);
    for (byte[] part : new byte[][] {owner, coordinates, id}) {
      target.putShort((short) part.length).put(part);
    }
    return target.put(detail.toByteArray()).array();
  }

  private static void head(ByteBuffer target, char state, Claim claim, long until) {
    Attempt attempt = claim.attempt();
    int flags =
        (attempt.solo() ? 1 : 0) + (attempt.external() ? 2 : 0) + (attempt.inDoubt() ? 4 : 0);
    target.put((byte) state).put((byte) flags);
    target.putLong(claim.nonce().high()).putLong(claim.nonce().low());
    sevenBytes(target, Micros.ofToken(claim.token()));
    sevenBytes(target, until);
    sevenBytes(target, 0);
    target.putLong(claim.fingerprint().value());
    target.putInt(attempt.number());
  }

  private static void sevenBytes(ByteBuffer target, long value) {
    target.put((byte) (value >>> 48)).putShort((short) (value >>> 32)).putInt((int) value);
  }
}
