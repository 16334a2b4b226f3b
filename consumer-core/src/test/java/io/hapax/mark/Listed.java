package io.hapax.mark;

import java.util.ArrayList;
import java.util.List;

/** Changes one element of an immutable list. */
final class Listed {

  private Listed() {}

  static <T> List<T> with(List<T> all, int index, T element) {
    if (all.size() == 2) {
      return index == 0 ? List.of(element, all.get(1)) : List.of(all.get(0), element);
    }
    List<T> changed = new ArrayList<>(all);
    changed.set(index, element);
    return List.copyOf(changed);
  }
}
