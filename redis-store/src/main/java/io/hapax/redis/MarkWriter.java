package io.hapax.redis;

import io.hapax.mark.Attempt;
import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkMachine;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;

/** Encodes marks for the scripts; {@code prelude.lua} describes the format. */
final class MarkWriter {

  static final int HEAD = 51;
  private static final int NONCE = 16;
  private static final byte[] NOTHING = new byte[0];

  private MarkWriter() {}

  static byte[] request(ClaimRequest request) {
    Tail tail = new Tail(request.key(), request.origin());
    int body = Long.BYTES + NONCE + 1 + tail.length();
    ByteBuffer target = ByteBuffer.allocate(7 + Integer.BYTES + body);
    sevenBytes(target, Micros.of(request.terms().notAfter()));
    target.putInt(body);
    target.putLong(request.fingerprint().value());
    turned(target, request.nonce());
    target.put(flags(request.terms().solo(), request.terms().external(), false));
    return tail.put(target).array();
  }

  /** Encodes a claim for {@code renew.lua}: the mark that the script writes if it was lost. */
  static byte[] held(Claim claim) {
    Tail tail = new Tail(claim.key(), claim.origin());
    ByteBuffer target = ByteBuffer.allocate(Integer.BYTES + HEAD + tail.length());
    target.putInt(HEAD + tail.length());
    head(target, claim);
    return tail.put(target).array();
  }

  static byte[] settlement(Settlement settlement) {
    if (settlement.verdict() instanceof Verdict.Done done) { // the usual case
      int number = settlement.claim().attempt().number();
      Attempt certain = new Attempt(number, false, false, false);
      return settlement(settlement.claim(), 'D', certain, 0, done.result().toByteArray());
    }
    Claim claim = settlement.claim();
    Mark held = new Mark(claim, MarkState.PROCESSING, Instant.EPOCH, Instant.EPOCH, Bytes.EMPTY);
    Mark next = MarkMachine.settle(held, settlement, Instant.EPOCH).next();
    char verdict = settlement
        .verdict()
        .match(done -> 'D', retry -> 'R', defer -> 'R', release -> 'F', dead -> 'X');
    Bytes detail =
        next.state() == MarkState.RETRY ? next.claim().attempt().deferral() : next.detail();
    byte[] rest = new Tail(claim.key(), claim.origin()).with(detail.toByteArray());
    long delay = Micros.of(Duration.between(Instant.EPOCH, next.until()));
    return settlement(claim, verdict, next.claim().attempt(), delay, rest);
  }

  private static byte[] settlement(
      Claim claim, char verdict, Attempt attempt, long delay, byte[] rest) {
    int body = 2 + Integer.BYTES + 7 + rest.length;
    ByteBuffer target = ByteBuffer.allocate(1 + 7 + Long.BYTES + NONCE + Integer.BYTES + body);
    target.put(StateCode.PROCESSING);
    sevenBytes(target, Micros.ofToken(claim.token()));
    target.putLong(claim.fingerprint().value());
    turned(target, claim.nonce());
    target.putInt(body);
    target.put((byte) verdict);
    target.put(flags(attempt.solo(), attempt.external(), attempt.inDoubt()));
    target.putInt(attempt.number());
    sevenBytes(target, delay);
    return target.put(rest).array();
  }

  /** Encodes the tail of a reopened mark whose origin is no longer known. */
  static byte[] tailWithoutOrigin(MessageKey key) {
    return new Tail(key, Origin.NONE).with(NOTHING);
  }

  static byte[] token(long token) {
    ByteBuffer target = ByteBuffer.allocate(7);
    sevenBytes(target, token);
    return target.array();
  }

  /** The end of an open mark: owner, coordinates and id, each behind its length. */
  private static final class Tail {

    private final byte[] owner;
    private final byte[] coordinates;
    private final byte[] id;

    private Tail(MessageKey key, Origin origin) {
      this.owner = origin.owner().getBytes(StandardCharsets.UTF_8);
      this.coordinates = origin.coordinates().getBytes(StandardCharsets.UTF_8);
      this.id = key.id().toByteArray();
    }

    int length() {
      return 3 * Short.BYTES + owner.length + coordinates.length + id.length;
    }

    ByteBuffer put(ByteBuffer target) {
      put(target, owner);
      put(target, coordinates);
      put(target, id);
      return target;
    }

    private static void put(ByteBuffer target, byte[] part) {
      target.putShort((short) part.length).put(part);
    }

    byte[] with(byte[] detail) {
      return put(ByteBuffer.allocate(length() + detail.length)).put(detail).array();
    }
  }

  /** Encodes the head of a lost mark that becomes PROCESSING again; its attempts are unknown. */
  private static void head(ByteBuffer target, Claim claim) {
    Attempt attempt = claim.attempt();
    target.put(StateCode.PROCESSING);
    target.put(flags(attempt.solo(), attempt.external(), attempt.inDoubt()));
    target.putLong(claim.nonce().high()).putLong(claim.nonce().low());
    sevenBytes(target, Micros.ofToken(claim.token()));
    sevenBytes(target, 0);
    sevenBytes(target, 0);
    target.putLong(claim.fingerprint().value());
    target.putInt(0);
  }

  private static byte flags(boolean solo, boolean external, boolean inDoubt) {
    return (byte) ((solo ? 1 : 0) + (external ? 2 : 0) + (inDoubt ? 4 : 0));
  }

  private static void turned(ByteBuffer target, Nonce nonce) {
    target.putInt((int) nonce.low()).putInt((int) (nonce.low() >>> 32)).putLong(nonce.high());
  }

  private static void sevenBytes(ByteBuffer target, long value) {
    target.put((byte) (value >>> 48)).putShort((short) (value >>> 32)).putInt((int) value);
  }
}
