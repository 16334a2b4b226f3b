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

  /** The proxy's setting for its port. */
  static final String PROXY_PORT = "grpcServerPort";

  /** For each kind of work. RocketMQ's default is 16 and two for each core. */
  private static final String POLL_THREADS = "4";

  private final ServerPlan plan;
  private final List<String> jvmOptions;
  private final int brokerPort = Loopback.freePort(TO_SECOND_PORT) + TO_SECOND_PORT;

  /** The proxy's settings; empty without a proxy. */
  private final Map<String, String> proxy;

  private final RocketMqAccess access;
  private final RocketMqConnection wire;

  RocketMqProgram(
      ServerPlan plan, List<String> jvmOptions, Map<String, String> proxy, RocketMqAccess access) {
    this.plan = plan;
    this.jvmOptions = jvmOptions;
    this.proxy = proxy;
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

  boolean hasProxy() {
    return !proxy.isEmpty();
  }

  int proxyPort() {
    return Integer.parseInt(proxy.getOrDefault(PROXY_PORT, "-1"));
  }

  @Override
  public Process launch() {
    Path home = plan.directory().path();
    List<String> command = ChildJvm.serverCommand(
        "384m",
        "-XX:MaxDirectMemorySize=" + (hasProxy() ? "512m" : "128m"),
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

  /**
   * Asks whether the name server knows the broker, which registers when it listens, and whether the
   * proxy answers, which starts last.
   */
  @Override
  public Optional<Throwable> probe() {
    try {
      String cluster =
          wire.ask(plan.port(), PROBE_MILLIS, RocketMqConnection.GET_CLUSTER, Map.of());
      if (!cluster.contains(Loopback.HOST + ':' + brokerPort)) {
        return Optional.of(new IOException("the broker is not registered: " + cluster));
      }
      if (hasProxy()) {
        Loopback.connect(proxyPort()).close();
      }
      return Optional.empty();
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
    if (hasProxy()) {
      properties.setProperty("proxy.namesrvAddr", plan.address());
      // gRPC clients send a heartbeat every 10 s only, and a forgotten client gets no message.
      properties.setProperty("channelExpiredTimeout", "120000");
      // Each thread that writes to the log keeps 4 MB of direct memory, and a poll may write from
      // any thread. If that memory is used up, polls are not answered any more.
      properties.setProperty("pullMessageThreadPoolNums", POLL_THREADS);
      properties.setProperty("proxy.consumerProcessorThreadPoolNums", POLL_THREADS);
      properties.setProperty("proxy.grpcConsumerThreadPoolNums", POLL_THREADS);
      properties.setProperty("proxy.grpcProducerThreadPoolNums", POLL_THREADS);
      properties.setProperty("proxy.producerProcessorThreadPoolNums", POLL_THREADS);
    }
    properties.putAll(access.settings());
    properties.putAll(plan.settings());
    proxy.forEach((name, value) -> properties.setProperty("proxy." + name, value));
    Path file = home.resolve("broker.properties");
    try (Writer writer = Files.newBufferedWriter(file)) {
      properties.store(writer, null);
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }
}
