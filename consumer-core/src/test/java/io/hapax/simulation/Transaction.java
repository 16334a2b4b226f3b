package io.hapax.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What handlers have written in a transaction; it is invisible before the commit. */
final class Transaction {

  private final List<Witness.Run> written = new ArrayList<>();

  void write(Witness.Run run) {
    written.add(run);
  }

  Set<String> ids() {
    return written.stream().map(it -> it.post().id()).collect(Collectors.toSet());
  }

  void commit(Witness witness) {
    for (Witness.Run run : written) {
      witness.tookEffect(run);
      witness.isThrough(run.post().id());
    }
  }
}
