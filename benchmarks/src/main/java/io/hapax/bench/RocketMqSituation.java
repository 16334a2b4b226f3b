package io.hapax.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * The kind of the listener and its batch size.
 *
 * @param orderly whether the listener keeps the order of each queue
 * @param batch the largest batch of a call
 */
record RocketMqSituation(boolean orderly, int batch) {

  static List<RocketMqSituation> of(RocketMqSetup setup) {
    List<RocketMqSituation> situations = new ArrayList<>();
    for (boolean orderly : new boolean[] {false, true}) {
      setup.batches().forEach(batch -> situations.add(new RocketMqSituation(orderly, batch)));
    }
    return situations;
  }

  String title() {
    return (orderly ? "orderly" : "concurrently") + ", batches of " + batch;
  }
}
