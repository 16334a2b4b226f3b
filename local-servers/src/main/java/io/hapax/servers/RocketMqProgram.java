package io.hapax.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/** Starts and probes one RocketMQ name server with one broker. */
final class RocketMqProgram implements Program {

  /** Short, because a request during the start may get no answer. */
  private static final int PROBE_MILLIS = 1_000;

  /** The broker listens at its port and, for a second kind of client, at its port minus two. */
  private static final int TO_SECOND_PORT = 2;

  private final ServerPlan plan;
  private final List<String> jvmOptions;
  private final int brokerPort = Loopback.freePort(TO_SECOND_PORT) + TO_SECOND_PORT;
  private final RocketMqAccess access;
  private final RocketMqConnection wire;

  RocketMqProgram(ServerPlan plan, List<String> jvmOptions, RocketMqAccess access) {
    this.plan = plan;
    this.jvmOptions = jvmOptions;
    this.access = access;
    this.wire = new RocketMqConnection(access);
  }

  @Override
  public String name() {
    return "RocketMQ at " + plan.address();
  }

  int brokerPort() {
    return brokerPort;
  }

  /** Returns a connection for requests to the name server and the broker. */
  RocketMqConnection wire() {
    return wire;
  }

  @Override
  public Process launch() {
    Path home = plan.directory().path();
    List<String> command = ChildJvm.serverCommand(
        "384m",
        "-XX:MaxDirectMemorySize=128m",
        "-Djava.awt.headless=true",
        "-Duser.home=" + home, // for its logs, and files whose place no setting changes
        "-Drocketmq.home.dir=" + home,
        "-Drocketmq.broker.rebalance.lockMaxLiveTime=5000");
    command.addAll(access.jvmOptions());
    command.addAll(jvmOptions);
    command.addAll(
        List.of("-cp", ChildJvm.rocketMqBroker(), "io.hapax.servers.rocketmq.BrokerMain"));
    command.addAll(List.of(Integer.toString(plan.port()), writeProperties(home).toString()));
    ProcessBuilder process = ChildJvm.process(plan, command);
    process.environment().keySet().removeIf(name -> name.startsWith("NAMESRV_"));
    return Guard.start(process);
  }

  /** Asks whether the name server knows the broker, which registers when it listens. */
  @Override
  public Optional<Throwable> probe() {
    try {
      String cluster =
          wire.ask(plan.port(), PROBE_MILLIS, RocketMqConnection.GET_CLUSTER, Map.of());
      return cluster.contains(Loopback.HOST + ':' + brokerPort)
          ? Optional.empty()
          : Optional.of(new IOException("the broker is not registered: " + cluster));
    } catch (IOException e) {
      return Optional.of(e);
    }
  }

  /** Returns SIGKILL. A normal end takes more than ten seconds and keeps no more data. */
  @Override
  public String endSignal(boolean dataAreKept) {
    return "KILL";
  }

  private Path writeProperties(Path home) {
    Properties properties = Resources.properties("io/hapax/servers/rocketmq.properties");
    properties.setProperty("rocketmqHome", home.toString());
    properties.setProperty("namesrvAddr", plan.address());
    properties.setProperty("brokerIP1", Loopback.HOST);
    properties.setProperty("brokerIP2", Loopback.HOST);
    properties.setProperty("bindAddress", Loopback.HOST);
    properties.setProperty("listenPort", Integer.toString(brokerPort));
    Path data = plan.directory().data();
    properties.setProperty("storePathRootDir", data.toString());
    properties.setProperty("storePathCommitLog", data.resolve("commitlog").toString());
    properties.putAll(access.settings());
    properties.putAll(plan.settings());
    Path file = home.resolve("broker.properties");
    try (Writer writer = Files.newBufferedWriter(file)) {
      properties.store(writer, null);
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }
}
