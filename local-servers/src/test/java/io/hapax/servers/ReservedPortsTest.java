package io.hapax.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReservedPortsTest {

  private static final int PORT = 27_507;

  @TempDir
  private Path folder;

  @Test
  void a_port_is_reserved_once_among_all_jvms_until_its_owner_ends() throws Exception {
    Path file = folder.resolve("ports");
    ReservedPorts ports = ReservedPorts.in(file);
    Process owner = owner(file);
    try {
      assertThat(owner.inputReader().readLine()).isEqualTo("true");

      assertThat(ports.reserve(PORT)).isFalse();
      assertThat(ports.reserve(PORT + 1)).isTrue();
      assertThat(ports.reserve(PORT + 1)).isFalse();
    } finally {
      owner.destroyForcibly();
      assertThat(owner.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(ports.reserve(PORT)).isTrue();
  }

  @Test
  void a_file_that_cannot_be_written_is_named() {
    Path file = folder.resolve("missing/ports");

    assertThatThrownBy(() -> ReservedPorts.in(file))
        .isInstanceOf(LocalServerException.class)
        .hasMessageContaining("cannot reserve ports in " + file);
  }

  private static Process owner(Path file) throws IOException {
    List<String> command = ChildJvm.command(
        "-cp",
        System.getProperty("java.class.path"),
        PortOwner.class.getName(),
        file.toString(),
        Integer.toString(PORT));
    return new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /** The main class of a JVM that reserves a port and prints whether it could. */
  static final class PortOwner {

    private PortOwner() {}

    public static void main(String[] args) throws IOException {
      System.out.println(ReservedPorts.in(Path.of(args[0])).reserve(Integer.parseInt(args[1])));
      int unused = System.in.read(); // until this JVM is killed
    }
  }
}
