package io.hapax.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.hapax.mark.Attempt;
import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.ClaimAnswer.Acquired;
import io.hapax.mark.ClaimAnswer.Busy;
import io.hapax.mark.ClaimAnswer.Done;
import io.hapax.mark.ClaimAnswer.Previous;
import io.hapax.mark.ClaimAnswer.Suspect;
import io.hapax.mark.ClaimAnswer.TooLate;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.RenewAnswer.Renewed;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * Makes the answers of a real store comparable with those of the model. The real clock advances
 * while the model's does not, so a time close to the model's is replaced by the model's. A token is
 * replaced by the model's token if it always corresponded to that one, or if it is new and greater
 * than all earlier tokens of its message. Everything else stays as it is, including a time or token
 * that does not fit, and therefore differs.
 */
final class ModelComparison {

  private static final Duration EARLIER = Duration.ofSeconds(1);
  private static final Duration LATER = Duration.ofSeconds(60);

  private final UnaryOperator<Nonce> keptWhenDone;

  private record Token(MessageKey key, long model) {}

  private final Map<Token, Long> realTokens = new HashMap<>();
  private final Map<MessageKey, Long> greatest = new HashMap<>();

  /**
   * Compares with a store that keeps only a part of the nonce of a DONE mark.
   *
   * @param keptWhenDone returns that part
   */
  ModelComparison(UnaryOperator<Nonce> keptWhenDone) {
    this.keptWhenDone = keptWhenDone;
  }

  /** Reports that both stores received this token. */
  void sameToken(MessageKey key, long token) {
    realTokens.put(new Token(key, token), token);
  }

  void sameClaim(Claim real, Claim model) {
    token(model.key(), real.token(), model.token());
  }

  /** Returns the real store's token for one of the model. */
  long realToken(MessageKey key, long model) {
    return realTokens.getOrDefault(new Token(key, model), model);
  }

  /** Makes the answers or marks of a real store comparable with those of the model. */
  List<?> comparable(List<?> real, List<?> model) {
    assertThat(real).hasSameSizeAs(model);
    return IntStream.range(0, real.size())
        .mapToObj(i -> comparable(real.get(i), model.get(i)))
        .toList();
  }

  Object comparable(Object real, Object model) {
    if (real instanceof ClaimAnswer answer && model instanceof ClaimAnswer expected) {
      return answer(answer, expected);
    } else if (real instanceof Renewed r && model instanceof Renewed m) {
      return new Renewed(time(r.leaseUntil(), m.leaseUntil()), r.markLost());
    } else if (real instanceof Optional<?> found && model instanceof Optional<?> expected) {
      return mark(found.map(Mark.class::cast), expected.map(Mark.class::cast));
    }
    return real;
  }

  private ClaimAnswer answer(ClaimAnswer real, ClaimAnswer model) {
    if (real instanceof Acquired r && model instanceof Acquired m) {
      return new Acquired(
          claim(r.claim(), m.claim()),
          r.kind(),
          time(r.leaseUntil(), m.leaseUntil()),
          previous(m.claim().key(), r.previous(), m.previous()));
    } else if (real instanceof Busy r && model instanceof Busy m) {
      return new Busy(span(r.remaining(), m.remaining()));
    } else if (real instanceof Done r && model instanceof Done m) {
      return new Done(r.result(), time(r.doneAt(), m.doneAt()), r.own());
    } else if (real instanceof TooLate r && model instanceof TooLate m) {
      return new TooLate(time(r.storeTime(), m.storeTime()));
    } else if (real instanceof Suspect r && model instanceof Suspect m) {
      return new Suspect(sinceAs(m.lost(), r.lost(), r.lost().deferredSince() > 0));
    }
    return real;
  }

  private Optional<Mark> mark(Optional<Mark> real, Optional<Mark> model) {
    if (real.isEmpty() || model.isEmpty()) {
      return real;
    }
    Mark r = real.get();
    Mark m = model.get();
    return Optional.of(new Mark(
        kept(claim(r.claim(), m.claim()), m),
        r.state(),
        time(r.claimedAt(), m.claimedAt()),
        time(r.until(), m.until()),
        r.detail()));
  }

  private Claim claim(Claim real, Claim model) {
    long since = real.attempt().deferredSince();
    boolean same = since == realToken(model.key(), model.attempt().deferredSince());
    Claim compared = Bench.withToken(real, token(model.key(), real.token(), model.token()));
    return Bench.withAttempt(compared, sinceAs(model.attempt(), real.attempt(), same));
  }

  /** Replaces the time of the first deferral by the model's, if the two are the same claim. */
  private static Attempt sinceAs(Attempt model, Attempt real, boolean same) {
    return same && model.deferredSince() > 0 ? real.withDeferral(model.deferral()) : real;
  }

  /**
   * Compares the kept part of the nonce of a DONE mark, and of a reopened one, which may have been
   * DONE and has no attempt.
   */
  private Claim kept(Claim real, Mark model) {
    Nonce whole = model.claim().nonce();
    boolean wasDone = model.state() == MarkState.DONE || model.claim().attempt().number() == 0;
    return wasDone && real.nonce().equals(keptWhenDone.apply(whole))
        ? Bench.withNonce(real, whole)
        : real;
  }

  private Optional<Previous> previous(
      MessageKey key, Optional<Previous> real, Optional<Previous> model) {
    if (real.isEmpty() || model.isEmpty()) {
      return real;
    }
    Previous r = real.get();
    Previous m = model.get();
    return Optional.of(
        new Previous(r.owner(), token(key, r.token(), m.token()), span(r.age(), m.age())));
  }

  private long token(MessageKey key, long real, long model) {
    Long known = realTokens.get(new Token(key, model));
    if (known != null) {
      return known == real ? model : -real;
    }
    if (real <= greatest.getOrDefault(key, 0L)) {
      return -real;
    }
    realTokens.put(new Token(key, model), real);
    greatest.put(key, real);
    return model;
  }

  private static Instant time(Instant real, Instant model) {
    boolean close = real.isAfter(model.minus(EARLIER)) && real.isBefore(model.plus(LATER));
    return close ? model : real;
  }

  private static Duration span(Duration real, Duration model) {
    return real.minus(model).abs().compareTo(LATER) < 0 ? model : real;
  }
}
