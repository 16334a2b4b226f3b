package io.hapax.redis;

import io.hapax.mark.Attempt;
import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.EpochMicros;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.store.StoreException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.function.Supplier;

/** Decodes marks; {@code prelude.lua} describes the format. */
final class MarkDecoder {

  private MarkDecoder() {}

  /** Decodes the mark of a message whose key is known. */
  static Mark read(MessageKey key, byte[] stored) {
    return checked(() -> read(ByteBuffer.wrap(stored), stored[0], key));
  }

  /** Decodes an open or dead mark, which contains its id. */
  static Mark readWithId(String scope, byte[] stored) {
    return checked(() -> {
      ByteBuffer tail = ByteBuffer.wrap(stored, MarkWriter.HEAD, stored.length - MarkWriter.HEAD);
      part(tail);
      part(tail);
      return read(ByteBuffer.wrap(stored), stored[0], MessageKey.of(scope, Bytes.of(part(tail))));
    });
  }

  /**
   * Decodes the claim in the head of a mark and the deferral behind it; key and origin come from
   * the caller.
   */
  static Claim readHead(MessageKey key, Origin origin, byte[] stored) {
    return checked(() -> {
      ByteBuffer source = ByteBuffer.wrap(stored);
      Head head = head(source, true);
      Attempt attempt = head.attempt().withDeferral(rest(source));
      return new Claim(key, head.nonce(), head.token(), attempt, head.fingerprint(), origin);
    });
  }

  /**
   * Decodes the settlement time of a DONE mark in the short form, which keeps that many bytes of
   * its nonce.
   */
  static Instant settledAtOfShort(byte[] stored, int nonceBytes) {
    return checked(() -> {
      ByteBuffer source = ByteBuffer.wrap(stored);
      long token = sevenBytes(source);
      source.position(source.position() + Long.BYTES + nonceBytes);
      long after = 0;
      while (source.hasRemaining()) {
        after = (after << 8) | (source.get() & 0xFF);
      }
      return EpochMicros.toInstant(token + after);
    });
  }

  static MarkState state(byte code) {
    return switch (code) {
      case StateCode.PROCESSING -> MarkState.PROCESSING;
      case StateCode.RETRY -> MarkState.RETRY;
      case StateCode.DEAD -> MarkState.DEAD;
      case StateCode.DONE, StateCode.LONG_DONE -> MarkState.DONE;
      default -> throw new StoreException("a mark has the unknown state " + code);
    };
  }

  private record Head(
      Attempt attempt,
      long token,
      Instant until,
      Nonce nonce,
      Fingerprint fingerprint,
      Instant claimedAt) {}

  private static Mark read(ByteBuffer source, byte stateCode, MessageKey key) {
    MarkState state = state(stateCode);
    Head head = head(source, stateCode != StateCode.DONE);
    Origin origin = Origin.NONE;
    if (state != MarkState.DONE) {
      String owner = new String(part(source), StandardCharsets.UTF_8);
      origin = new Origin(owner, new String(part(source), StandardCharsets.UTF_8));
      part(source);
    }
    Bytes detail = rest(source);
    boolean open = state == MarkState.PROCESSING || state == MarkState.RETRY;
    Attempt attempt = open ? head.attempt().withDeferral(detail) : head.attempt();
    Claim claim = new Claim(key, head.nonce(), head.token(), attempt, head.fingerprint(), origin);
    return new Mark(claim, state, head.claimedAt(), head.until(), open ? Bytes.EMPTY : detail);
  }

  private static Head head(ByteBuffer source, boolean isLong) {
    source.get();
    int flags = source.get();
    Nonce nonce = new Nonce(source.getLong(), source.getLong());
    long token = sevenBytes(source);
    Instant until = EpochMicros.toInstant(sevenBytes(source));
    long claimedAt = isLong ? sevenBytes(source) : token;
    Fingerprint fingerprint = new Fingerprint(source.getLong());
    int number = isLong ? source.getInt() : 1;
    Attempt attempt = new Attempt(number, (flags & 1) != 0, (flags & 2) != 0, (flags & 4) != 0);
    return new Head(attempt, token, until, nonce, fingerprint, EpochMicros.toInstant(claimedAt));
  }

  /** Reads a number of seven bytes. */
  static long sevenBytes(ByteBuffer source) {
    long high = source.get() & 0xFF;
    long middle = source.getShort() & 0xFFFF;
    return (high << 48) | (middle << 32) | (source.getInt() & 0xFFFF_FFFFL);
  }

  private static Bytes rest(ByteBuffer source) {
    byte[] rest = new byte[source.remaining()];
    source.get(rest);
    return Bytes.of(rest);
  }

  private static byte[] part(ByteBuffer source) {
    byte[] part = new byte[source.getShort() & 0xFFFF];
    source.get(part);
    return part;
  }

  private static <R> R checked(Supplier<R> decoder) {
    try {
      return decoder.get();
    } catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new StoreException("a mark in Redis is not in the format of this version", e);
    }
  }
}
