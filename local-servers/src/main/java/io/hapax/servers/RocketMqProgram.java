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

/** One RocketMQ name server with one broker: how they are started and asked. */
final class RocketMqProgram implements Program {

  /** A question that comes while it starts may get no answer at all. */
  private static final int PROBE_MILLIS = 1_000;

  /** The broker listens at its port and, for a second kind of client, at two less. */
  private static final int TO_SECOND_PORT = 2;

  /** The proxy's setting that says where it listens. */
  static final String PROXY_PORT = "grpcServerPort";

  /** For each kind of work; its own are 16 and two for each core. */
  private static final String POLL_THREADS = "4";

  private final ServerPlan plan;
  private final List<String> jvmOptions;
  private final int brokerPort = Loopback.freePort(TO_SECOND_PORT) + TO_SECOND_PORT;

  /** The proxy's settings; empty without one. */
  private final Map<String, String> proxy;

  private final RocketMqAccess access;
  private final RocketMqWire wire;

  RocketMqProgram(
      ServerPlan plan, List<String> jvmOptions, Map<String, String> proxy, RocketMqAccess access) {
    this.plan = plan;
    this.jvmOptions = jvmOptions;
    this.proxy = proxy;
    this.access = access;
    this.wire = new RocketMqWire(access);
  }

  @Override
  public String name() {
    return "RocketMQ at " + plan.address();
  }

  int brokerPort() {
    return brokerPort;
  }

  /** For questions to the name server and the broker. */
  RocketMqWire wire() {
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
    List<String> command = ChildJvm.command(
        "-Xms64m",
        "-Xmx384m",
        "-XX:MaxDirectMemorySize=" + (hasProxy() ? "512m" : "128m"),
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-Djava.awt.headless=true",
        "-Duser.home=" + home, // where it writes its logs, and whatever no setting moves
        "-Drocketmq.home.dir=" + home,
        "-Drocketmq.broker.rebalance.lockMaxLiveTime=5000");
    command.addAll(access.jvmOptions());
    command.addAll(jvmOptions);
    command.addAll(
        List.of("-cp", ChildJvm.rocketMqBroker(), "io.hapax.servers.rocketmq.BrokerMain"));
    command.addAll(List.of(Integer.toString(plan.port()), writeProperties(home).toString()));
    ProcessBuilder process = plan.process(command);
    ChildJvm.clean(process.environment());
    process.environment().keySet().removeIf(name -> name.startsWith("NAMESRV_"));
    return Guard.start(process);
  }

  /** The name server knows a broker as soon as that broker listens; the proxy is the last. */
  @Override
  public Optional<Throwable> probe() {
    try {
      String cluster = wire.ask(plan.port(), PROBE_MILLIS, RocketMqWire.GET_CLUSTER, Map.of());
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

  /** In good order it would take more than ten seconds, and keep no more than a killed one does. */
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
      // Its clients give a sign of life every 10 s only; forgotten ones wait for polls in vain.
      properties.setProperty("channelExpiredTimeout", "120000");
      // A thread that writes to the log keeps 4 MB of direct memory, and a poll writes in whatever
      // thread it ends in. Where that is used up, polls are not answered any more.
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
