package io.hapax.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Starts and probes one server of H2. */
final class H2Program implements Program {

  private static final String SERVER = "org.h2.tools.Server";

  private final ServerPlan plan;

  H2Program(ServerPlan plan) {
    this.plan = plan;
  }

  @Override
  public String name() {
    return "H2 at " + plan.address();
  }

  @Override
  public Process launch() {
    List<String> command = ChildJvm.serverCommand("384m", "-Dh2.bindAddress=" + Loopback.HOST);
    command.addAll(List.of("-cp", jar().toString(), SERVER, "-tcp", "-ifNotExists"));
    options().forEach((name, value) -> command.addAll(List.of('-' + name, value)));
    return Guard.start(ChildJvm.process(plan, command));
  }

  private Map<String, String> options() {
    try {
      Map<String, String> options = new TreeMap<>();
      options.put("tcpPort", Integer.toString(plan.port()));
      options.put("baseDir", Files.createDirectories(plan.directory().data()).toString());
      options.putAll(plan.settings());
      return options;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot prepare " + plan.directory().path(), e);
    }
  }

  /** Returns the jar of the driver, which contains the server. */
  private static Path jar() {
    try {
      return Path.of(Class.forName(SERVER)
          .getProtectionDomain()
          .getCodeSource()
          .getLocation()
          .toURI());
    } catch (ClassNotFoundException | URISyntaxException e) {
      throw new LocalServerException("the jar of H2 is not on the class path", e);
    }
  }

  @Override
  public Optional<Throwable> probe() {
    try (Socket accepted = Loopback.connect(plan.port())) {
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(e);
    }
  }

  /** Returns SIGKILL. After a normal end, H2 may have lost confirmed commits. */
  @Override
  public String endSignal(boolean dataAreKept) {
    return "KILL";
  }
}
