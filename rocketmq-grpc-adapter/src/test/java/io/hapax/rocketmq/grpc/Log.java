package io.hapax.rocketmq.grpc;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** What is logged while something runs. */
final class Log {

  interface Work {
    void run() throws Exception;
  }

  private Log() {}

  static String of(Work work) throws Exception {
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try {
      work.run();
    } finally {
      System.setErr(before);
    }
    return log.toString(StandardCharsets.UTF_8);
  }
}
