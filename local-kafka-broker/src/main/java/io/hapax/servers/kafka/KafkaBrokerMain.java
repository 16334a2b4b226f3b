package io.hapax.servers.kafka;

import kafka.Kafka;
import kafka.tools.StorageTool;

/**
 * Formats the broker's directory at its first start, then runs the broker. Both run in one JVM,
 * which saves the start of a second one.
 */
final class KafkaBrokerMain {

  private KafkaBrokerMain() {}

  /**
   * Runs until the broker ends.
   *
   * @param args the cluster id, the same for each start on the same data, and the path of the
   *     broker's properties file
   */
  public static void main(String[] args) {
    String properties = args[1];
    int status = StorageTool.execute(
        new String[] {
          "format", "--cluster-id", args[0], "--config", properties, "--ignore-formatted"
        },
        System.out);
    if (status != 0) {
      Runtime.getRuntime().exit(status);
    }
    Kafka.main(new String[] {properties});
  }
}
