package io.hapax.internal;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What became of claims that were sent.
 *
 * @param late those that came too late, and are asked for anew
 * @param unheard those of which the store has said nothing
 */
record Asked<M>(Set<Item<M>> late, Set<Item<M>> unheard) {

  /** The call failed. */
  static <M> Asked<M> inVain(List<Item<M>> items) {
    return new Asked<>(Set.of(), new HashSet<>(items));
  }
}
