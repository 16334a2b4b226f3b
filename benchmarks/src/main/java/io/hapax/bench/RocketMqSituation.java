package io.hapax.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * How a listener is called.
 *
 * @param orderly whether it keeps the order of each queue
 * @param batch how many messages it is handed at most
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
