package io.hapax.mark;

import java.util.function.Function;

/**
 * What a store says when an owner settles its claim. Only {@link Settled} to a DONE or DEAD verdict
 * allows the ack.
 */
public sealed interface SettleAnswer {

  /**
   * The verdict stands in the store.
   *
   * @param markLost whether the mark was missing, or a DEAD verdict met one that was written anew
   *     after it was lost. DONE, RETRY and DEFER have been written; DEAD has not, because its
   *     message may have been brought back since, and must run then
   */
  record Settled(boolean markLost) implements SettleAnswer {}

  /**
   * The claim is not current any more. Nothing was changed, nothing may be acknowledged on the
   * strength of it; the message goes back to claim, which tells how it stands.
   *
   * @param state the state of the mark that stands there
   */
  record Fenced(MarkState state) implements SettleAnswer {}

  /**
   * The part of the store that keeps this mark did not answer; whether the verdict was executed is
   * unknown. Send the same settlement again.
   *
   * @param reason what failed, for people
   */
  record Unavailable(String reason) implements SettleAnswer {}

  /**
   * Chooses by kind.
   *
   * @param settled for {@link Settled}
   * @param fenced for {@link Fenced}
   * @param unavailable for {@link Unavailable}
   * @param <R> what is computed
   * @return what the chosen function returned
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
