package io.hapax.redis;

import static io.hapax.redis.Executor.ascii;
import static io.hapax.redis.Verb.Reading.USUAL;

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

/** The verbs, as scripts over lists. */
final class Verbs {

  private static final byte[] NOTHING = new byte[0];
  private static final byte LOST = '2'; // the mark, and it was written anew

  private final Executor executor;
  private final String ownName = UUID.randomUUID().toString();
  private final AtomicLong claims = new AtomicLong();

  Verbs(Executor executor) {
    this.executor = executor;
  }

  List<ClaimAnswer> claim(List<ClaimRequest> requests, Duration lease) {
    long micros = Micros.of(lease);
    return executor.each(
        new Verb<ClaimRequest, ClaimAnswer>(
            Script.CLAIM,
            List.of(newCanary(), ascii(micros)),
            ClaimRequest::key,
            MarkWriter::request,
            new ClaimReading(micros, executor.keyspace().layout().marks().nonceBytes()),
            ClaimAnswer.Unavailable::new),
        requests);
  }

  /** Answers each claim with the server's time and that it is too late; writes nothing. */
  List<ClaimAnswer> tooLate(List<ClaimRequest> requests) {
    Verb.Reading<ClaimRequest, ClaimAnswer> reading = (request, letter, more, now) -> {
      if (letter == USUAL) {
        var unused = more.get(); // the mark
      }
      return new ClaimAnswer.TooLate(EpochMicros.toInstant(now));
    };
    return executor.each(
        new Verb<>(
            Script.FIND,
            List.of(),
            ClaimRequest::key,
            request -> NOTHING,
            reading,
            ClaimAnswer.Unavailable::new),
        requests);
  }

  /** Another one each time, or who has written it would not know that it went and came again. */
  private byte[] newCanary() {
    return ascii(ownName + '-' + claims.incrementAndGet());
  }

  List<RenewAnswer> renew(List<Claim> claims, Duration lease) {
    long micros = Micros.of(lease);
    Verb.Reading<Claim, RenewAnswer> reading = (claim, letter, more, now) -> {
      Instant until = EpochMicros.toInstant(now + micros);
      return switch (letter) {
        case USUAL -> new RenewAnswer.Renewed(until, false);
        case LOST -> new RenewAnswer.Renewed(until, true);
        default -> new RenewAnswer.Fenced(MarkReader.state(letter));
      };
    };
    return executor.each(
        new Verb<>(
            Script.RENEW,
            List.of(ascii(micros)),
            Claim::key,
            MarkWriter::held,
            reading,
            RenewAnswer.Unavailable::new),
        claims);
  }

  List<SettleAnswer> settle(List<Settlement> settlements) {
    Verb.Reading<Settlement, SettleAnswer> reading =
        (settlement, letter, more, now) -> switch (letter) {
          case USUAL -> new SettleAnswer.Settled(false);
          case LOST -> new SettleAnswer.Settled(true);
          default -> new SettleAnswer.Fenced(MarkReader.state(letter));
        };
    return executor.each(
        new Verb<>(
            Script.SETTLE,
            List.of(),
            settlement -> settlement.claim().key(),
            MarkWriter::settlement,
            reading,
            SettleAnswer.Unavailable::new),
        settlements);
  }

  List<Optional<Mark>> find(List<MessageKey> keys) {
    Verb.Reading<MessageKey, Optional<Mark>> reading = (key, letter, more, now) ->
        letter == USUAL ? Optional.of(MarkReader.read(key, more.get())) : Optional.empty();
    return executor.each(
        new Verb<>(
            Script.FIND, List.of(), Function.identity(), key -> NOTHING, reading, Verbs::fail),
        keys);
  }

  boolean resolve(
      MessageKey key, long expectedToken, MarkState expectedState, Resolution resolution) {
    if (expectedToken < 0 || expectedToken >= Micros.LIMIT || expectedState == MarkState.ABSENT) {
      return false; // no mark has such a token or state
    }
    List<Object> said = executor.one(
        Script.RESOLVE,
        executor.keysOf(key),
        List.of(
            MarkWriter.token(expectedToken),
            ascii(letter(expectedState)),
            ascii(letter(resolution.kind())),
            ascii(resolution.forced() ? "F" : "-"),
            MarkWriter.tailWithoutOrigin(key)));
    return Long.valueOf(1).equals(said.get(0));
  }

  /** Names a state as the script does. */
  private static String letter(MarkState state) {
    return switch (state) {
      case ABSENT -> "";
      case PROCESSING -> "P";
      case RETRY -> "R";
      case DONE -> "D";
      case DEAD -> "X";
    };
  }

  /** Names a decision as the script does. */
  private static String letter(Resolution.Kind kind) {
    return switch (kind) {
      case REOPEN -> "R";
      case FORCE_DONE -> "D";
      case REOPEN_ANY_PAYLOAD -> "A";
      case DONE_ANY_PAYLOAD -> "K";
    };
  }

  private static Optional<Mark> fail(String reason) {
    throw new StoreException(reason);
  }
}
