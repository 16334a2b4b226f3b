package io.hapax.mark;

import java.util.function.Function;

/**
 * A store's answer to a settlement. Only {@link Settled} to DONE or DEAD allows acknowledgement.
 */
public sealed interface SettleAnswer {

  /**
   * The store has the verdict.
   *
   * @param markLost whether the mark was missing, or a DEAD verdict met one that was written anew
   *     after it was lost. DONE, RETRY and DEFER have been written; DEAD has not, because its
   *     message may have been brought back since, and must run then
   */
  record Settled(boolean markLost) implements SettleAnswer {}

  /**
   * The claim is not current any more. Nothing was changed, and the message must not be
   * acknowledged because of it. Claim the message again; the answer says what to do.
   *
   * @param state the state of the mark
   */
  record Fenced(MarkState state) implements SettleAnswer {}

  /**
   * The part of the store that holds this mark did not answer; whether the verdict was executed is
   * unknown. Send the same settlement again.
   *
   * @param reason what failed, for people
   */
  record Unavailable(String reason) implements SettleAnswer {}

  /**
   * {@return the result of the function for the kind of this answer}
   *
   * @param settled for {@link Settled}
   * @param fenced for {@link Fenced}
   * @param unavailable for {@link Unavailable}
   * @param <R> the type of the result
   */
  default <R> R match(
      Function<? super Settled, ? extends R> settled,
      Function<? super Fenced, ? extends R> fenced,
      Function<? super Unavailable, ? extends R> unavailable) {
    if (this instanceof Settled it) {
      return settled.apply(it);
    } else if (this instanceof Fenced it) {
      return fenced.apply(it);
    }
    return unavailable.apply((Unavailable) this);
  }
}
