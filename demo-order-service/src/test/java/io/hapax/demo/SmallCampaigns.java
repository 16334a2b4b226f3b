package io.hapax.demo;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Runs of sixty orders, in silence. */
abstract class SmallCampaigns {

  @TempDir
  private Path folder;

  private final Progress silent =
      new Progress(new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8), 0);

  static DemoSettings settings(Faults faults, Mode mode, BrokerKind broker, StoreKind store) {
    return new DemoSettings(60, 0.5, 3, faults, 0, mode, broker, false, store, 1, false);
  }

  final Figures run(DemoSettings settings) throws Exception {
    return new Campaign(settings, folder, silent).run();
  }
}
