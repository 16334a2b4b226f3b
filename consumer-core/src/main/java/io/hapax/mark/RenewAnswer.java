package io.hapax.mark;

import java.time.Instant;
import java.util.function.Function;

/** What a store says when an owner renews its lease. */
public sealed interface RenewAnswer {

  /**
   * The lease is longer.
   *
   * @param leaseUntil by the store's clock, its new end
   * @param markLost whether the mark was missing and has been written anew, with no attempt
   *     counted: such a mark does not become dead
   */
  record Renewed(Instant leaseUntil, boolean markLost) implements RenewAnswer {}

  /**
   * The claim is not current any more. Nothing was changed; the owner's effect may be repeated by
   * another.
   *
   * @param state the state of the mark that stands there
   */
  record Fenced(MarkState state) implements RenewAnswer {}

  /**
   * The part of the store that keeps this mark did not answer. Send the same again.
   *
   * @param reason what failed, for people
   */
  record Unavailable(String reason) implements RenewAnswer {}

  /**
   * Chooses by kind.
   *
   * @param renewed for {@link Renewed}
   * @param fenced for {@link Fenced}
   * @param unavailable for {@link Unavailable}
   * @param <R> what is computed
   * @return what the chosen function returned
   */
  default <R> R match(
      Function<? super Renewed, ? extends R> renewed,
      Function<? super Fenced, ? extends R> fenced,
      Function<? super Unavailable, ? extends R> unavailable) {
    if (this instanceof Renewed it) {
      return renewed.apply(it);
    } else if (this instanceof Fenced it) {
      return fenced.apply(it);
    }
    return unavailable.apply((Unavailable) this);
  }
}
