package io.hapax.demo.payment;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/** A running {@link GatewayMain}. */
public final class GatewayProcess implements AutoCloseable {

  private final Process process;
  private final GatewayClient client;

  private GatewayProcess(Process process, int port) {
    this.process = process;
    this.client = new GatewayClient(port);
  }

  /**
   * Starts a gateway, and returns when it answers. A slow request is charged after
   * {@code chargeTime}; its answer follows later than the client waits in any case.
   */
  public static GatewayProcess start(Path ledger, boolean keys, Duration chargeTime)
      throws IOException {
    Process process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            GatewayMain.class.getName(),
            ledger.toString(),
            Boolean.toString(keys),
            Long.toString(chargeTime.toMillis()))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
    String port = new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))
        .readLine();
    if (port == null) {
      throw new IOException("the gateway ended before it had a port");
    }
    return new GatewayProcess(process, Integer.parseInt(port));
  }

  public GatewayClient client() {
    return client;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
