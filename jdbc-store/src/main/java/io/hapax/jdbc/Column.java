package io.hapax.jdbc;

import io.hapax.mark.Attempt;
import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.EpochMicros;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A column of the relation that carries a batch. */
record Column<I>(String name, Type type, Function<I, @Nullable Object> value) {

  /** The types in use; each dialect has its own names for them. */
  enum Type {
    UUID,
    INTEGER,
    BIGINT,
    TEXT,
    BYTES
  }

  static final int SOLO = 1;
  static final int EXTERNAL = 2;
  static final int IN_DOUBT = 4;

  /** The key alone, to read marks. */
  static final List<Column<MessageKey>> KEY = List.of(uuid("k", Column::key));

  /** A claim that its owner believes to be current. */
  static final List<Column<Claim>> CURRENT = List.of(
      uuid("k", claim -> key(claim.key())),
      uuid("was_nonce", claim -> nonce(claim.nonce())),
      bigint("was_token", Claim::token));

  /** A settlement of such a claim; {@code until_us} is relative to the server's time. */
  static final List<Column<Change>> SETTLED = List.of(
      uuid("k", change -> key(change.next().key())),
      uuid("was_nonce", change -> nonce(change.was().mark().claim().nonce())),
      bigint("was_token", change -> change.was().mark().claim().token()),
      integer("was_attempt", change -> change.was().mark().claim().attempt().number()),
      integer("was_flags", change -> flags(change.was().mark().claim().attempt())),
      bigint("until_us", change -> EpochMicros.of(change.next().until())),
      integer("attempt", change -> change.next().claim().attempt().number()),
      integer("state", change -> code(change.next().state())),
      integer("flags", change -> flags(change.next().claim().attempt())),
      bytes("detail", change -> detail(change.next())));

  /**
   * Returns the columns of a whole row with its version, and those of the conditions of a change.
   */
  static List<Column<Change>> ofChange(Retention retention) {
    return Stream.concat(ofRow(retention).stream(), ofCondition().stream()).toList();
  }

  /** Returns the columns of a whole row without its version. */
  static List<Column<Change>> ofRow(Retention retention) {
    long keptMicros = retention.fromClaimMicros();
    return List.of(
        uuid("k", change -> key(change.next().key())),
        uuid("nonce", change -> nonce(change.next().claim().nonce())),
        bigint("token", change -> change.next().claim().token()),
        bigint("fingerprint", change -> change.next().claim().fingerprint().value()),
        bigint("claimed_at_us", change -> EpochMicros.of(change.next().claimedAt())),
        bigint("until_us", change -> EpochMicros.of(change.next().until())),
        bigint("expires_at_us", change -> EpochMicros.of(change.next().claimedAt()) + keptMicros),
        integer("attempt", change -> change.next().claim().attempt().number()),
        integer("state", change -> code(change.next().state())),
        integer("flags", change -> flags(change.next().claim().attempt())),
        text(
            "owner",
            change -> unlessDone(change, legible(change.next().claim().origin().owner()))),
        text(
            "coordinates",
            change -> unlessDone(change, legible(change.next().claim().origin().coordinates()))),
        text("scope", change -> unlessDone(change, change.next().key().scope())),
        bytes(
            "message_id", change -> unlessDone(change, change.next().key().id().toByteArray())),
        bytes("detail", change -> detail(change.next())));
  }

  private static List<Column<Change>> ofCondition() {
    return List.of(
        integer("was_version", change -> change.was().version()),
        integer("next_version", Change::version),
        bigint("was_token", change -> change.was().mark().claim().token()),
        bigint("not_after_us", change -> EpochMicros.of(change.notAfter())));
  }

  static <I> Column<I> uuid(String name, Function<I, @Nullable Object> value) {
    return new Column<>(name, Type.UUID, value);
  }

  static <I> Column<I> integer(String name, Function<I, @Nullable Object> value) {
    return new Column<>(name, Type.INTEGER, value);
  }

  static <I> Column<I> bigint(String name, ToLongFunction<I> value) {
    return new Column<>(name, Type.BIGINT, value::applyAsLong);
  }

  static <I> Column<I> text(String name, Function<I, @Nullable Object> value) {
    return new Column<>(name, Type.TEXT, value);
  }

  static <I> Column<I> bytes(String name, Function<I, @Nullable Object> value) {
    return new Column<>(name, Type.BYTES, value);
  }

  private static @Nullable Object unlessDone(Change change, Object value) {
    return change.next().state() == MarkState.DONE ? null : value;
  }

  /** Returns the result or the reason; for an open mark, the time since which it is deferred. */
  private static byte[] detail(Mark mark) {
    Bytes detail = isOpen(mark.state()) ? mark.claim().attempt().deferral() : mark.detail();
    return detail.toByteArray();
  }

  static boolean isOpen(MarkState state) {
    return state == MarkState.PROCESSING || state == MarkState.RETRY;
  }

  /** Replaces NUL, which PostgreSQL does not store in text; only people read these columns. */
  private static String legible(String text) {
    return text.replace('\0', '\uFFFD');
  }

  static UUID key(MessageKey key) {
    return new UUID(key.high(), key.low());
  }

  static UUID nonce(Nonce nonce) {
    return new UUID(nonce.high(), nonce.low());
  }

  static int flags(Attempt attempt) {
    return (attempt.solo() ? SOLO : 0)
        | (attempt.external() ? EXTERNAL : 0)
        | (attempt.inDoubt() ? IN_DOUBT : 0);
  }

  static int code(MarkState state) {
    return switch (state) {
      case ABSENT -> throw new IllegalArgumentException("an absent mark has no row");
      case PROCESSING -> 1;
      case RETRY -> 2;
      case DONE -> 3;
      case DEAD -> 4;
    };
  }

  static MarkState state(int code) {
    return switch (code) {
      case 1 -> MarkState.PROCESSING;
      case 2 -> MarkState.RETRY;
      case 3 -> MarkState.DONE;
      case 4 -> MarkState.DEAD;
      default ->
        throw new IllegalStateException("state of a mark is " + code + " but must be 1 to 4");
    };
  }
}
