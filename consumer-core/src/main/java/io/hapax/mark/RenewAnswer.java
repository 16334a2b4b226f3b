package io.hapax.mark;

import java.time.Instant;
import java.util.function.Function;

/** A store's answer to the renewal of a lease. */
public sealed interface RenewAnswer {

  /**
   * The lease was renewed.
   *
   * @param leaseUntil its new end, by the store's clock
   * @param markLost whether the mark was missing and has been written anew, with no attempt
   *     counted: such a mark does not become DEAD
   */
  record Renewed(Instant leaseUntil, boolean markLost) implements RenewAnswer {}

  /**
   * The claim is not current any more. Nothing was changed; another owner may repeat the effect.
   *
   * @param state the state of the mark
   */
  record Fenced(MarkState state) implements RenewAnswer {}

  /**
   * The part of the store that holds this mark did not answer. Send the same renewal again.
   *
   * @param reason what failed, for people
   */
  record Unavailable(String reason) implements RenewAnswer {}

  /**
   * {@return the result of the function for the kind of this answer}
   *
   * @param renewed for {@link Renewed}
   * @param fenced for {@link Fenced}
   * @param unavailable for {@link Unavailable}
   * @param <R> the type of the result
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
