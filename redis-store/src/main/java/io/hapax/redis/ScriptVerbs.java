package io.hapax.redis;

import static io.hapax.redis.ScriptExecutor.ascii;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.EpochMicros;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.RenewAnswer;
import io.hapax.mark.Resolution;
import io.hapax.mark.SettleAnswer;
import io.hapax.mark.Settlement;
import io.hapax.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** Implements the verbs as scripts over lists. */
final class ScriptVerbs {

  private static final byte[] NOTHING = new byte[0];

  private final ScriptExecutor executor;
  private final String ownName = UUID.randomUUID().toString();
  private final AtomicLong claims = new AtomicLong();

  ScriptVerbs(ScriptExecutor executor) {
    this.executor = executor;
  }

  List<ClaimAnswer> claim(List<ClaimRequest> requests, Duration lease) {
    long micros = Micros.of(lease);
    return executor.runAll(
        new Verb<ClaimRequest, ClaimAnswer>(
            Script.CLAIM,
            List.of(newCanary(), ascii(micros)),
            ClaimRequest::key,
            MarkWriter::request,
            new ClaimDecoder(micros, executor.keyspace().layout().marks().nonceBytes()),
            ClaimAnswer.Unavailable::new),
        requests);
  }

  /** Returns a new canary: a canary that is lost and written again must differ. */
  private byte[] newCanary() {
    return ascii(ownName + '-' + claims.incrementAndGet());
  }

  List<RenewAnswer> renew(List<Claim> claims, Duration lease) {
    long micros = Micros.of(lease);
    Verb.Decoder<Claim, RenewAnswer> decoder = (claim, code, details, now) -> {
      Instant until = EpochMicros.toInstant(now + micros);
      return switch (code) {
        case AnswerCode.USUAL -> new RenewAnswer.Renewed(until, false);
        case AnswerCode.MARK_LOST -> new RenewAnswer.Renewed(until, true);
        default -> new RenewAnswer.Fenced(MarkDecoder.state(code));
      };
    };
    return executor.runAll(
        new Verb<>(
            Script.RENEW,
            List.of(ascii(micros)),
            Claim::key,
            MarkWriter::held,
            decoder,
            RenewAnswer.Unavailable::new),
        claims);
  }

  List<SettleAnswer> settle(List<Settlement> settlements) {
    Verb.Decoder<Settlement, SettleAnswer> decoder =
        (settlement, code, details, now) -> switch (code) {
          case AnswerCode.USUAL -> new SettleAnswer.Settled(false);
          case AnswerCode.MARK_LOST -> new SettleAnswer.Settled(true);
          default -> new SettleAnswer.Fenced(MarkDecoder.state(code));
        };
    return executor.runAll(
        new Verb<>(
            Script.SETTLE,
            List.of(),
            settlement -> settlement.claim().key(),
            MarkWriter::settlement,
            decoder,
            SettleAnswer.Unavailable::new),
        settlements);
  }

  List<Optional<Mark>> find(List<MessageKey> keys) {
    return read(
        keys,
        (key, code, details, now) -> code == AnswerCode.USUAL
            ? Optional.of(MarkDecoder.read(key, details.get()))
            : Optional.empty());
  }

  /** Returns the time of the key's server. Its mark stays unread, because no other one follows. */
  Instant now(MessageKey key) {
    return read(List.of(key), (same, code, details, now) -> EpochMicros.toInstant(now))
        .get(0);
  }

  private <A> List<A> read(List<MessageKey> keys, Verb.Decoder<MessageKey, A> decoder) {
    return executor.runAll(
        new Verb<>(Script.FIND, List.of(), Function.identity(), key -> NOTHING, decoder, reason -> {
          throw new StoreException(reason);
        }),
        keys);
  }

  boolean resolve(
      MessageKey key, long expectedToken, MarkState expectedState, Resolution resolution) {
    if (expectedToken < 0 || expectedToken >= Micros.LIMIT || expectedState == MarkState.ABSENT) {
      return false; // no mark has such a token or state
    }
    List<Object> said = executor.runOne(
        Script.RESOLVE,
        executor.keysOf(key),
        List.of(
            MarkWriter.token(expectedToken),
            ascii(code(expectedState)),
            ascii(code(resolution.kind())),
            ascii(resolution.forced() ? "F" : "-"),
            MarkWriter.tailWithoutOrigin(key)));
    return Long.valueOf(1).equals(said.get(0));
  }

  /** Returns the code of a state in {@code prelude.lua}; {@code ABSENT} has none. */
  private static char code(MarkState state) {
    return (char)
        switch (state) {
          case ABSENT -> throw new IllegalArgumentException("an absent mark has no state code");
          case PROCESSING -> StateCode.PROCESSING;
          case RETRY -> StateCode.RETRY;
          case DONE -> StateCode.DONE;
          case DEAD -> StateCode.DEAD;
        };
  }

  /** Returns the code of a decision in {@code resolve.lua}. */
  private static String code(Resolution.Kind kind) {
    return switch (kind) {
      case REOPEN -> "R";
      case FORCE_DONE -> "D";
      case REOPEN_ANY_PAYLOAD -> "A";
      case DONE_ANY_PAYLOAD -> "K";
      case FORGET -> "F";
    };
  }
}
