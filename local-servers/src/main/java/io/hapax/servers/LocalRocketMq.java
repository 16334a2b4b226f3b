package io.hapax.servers;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A real RocketMQ name server with one broker in their own JVM. It needs the artifact
 * {@code local-rocketmq-broker}, 94 MB, which the caller puts on the class path.
 *
 * <pre>{@code
 * try (LocalRocketMq rocketMq = LocalRocketMq.start()) {
 *   rocketMq.createTopic("orders", 4);
 *   consumer.setNamesrvAddr(rocketMq.nameServer());
 * }
 * }</pre>
 *
 * <p>Topics are not created automatically, consumer groups are. Retries are fast: the delay levels
 * are {@code 1s 1s 1s 2s 3s 4s 5s 6s 7s 8s 9s 10s 20s 30s 1m 2m 3m 4m}. Two settings decide how
 * long the broker waits for a vanished consumer. They are 5 s here, and longer in production: 120 s
 * for {@code channelExpiredTimeout}, which the broker checks every 10 s, and 60 s for
 * {@code -Drocketmq.broker.rebalance.lockMaxLiveTime}, the locks of orderly consumers.
 *
 * <p>The intervals of the clients suit big clusters. A consumer finds its retry topic only when it
 * next asks the name server, after 30 s. It sends a heartbeat every 30 s, and this broker forgets
 * it before. Set {@code pollNameServerInterval} and {@code heartbeatBrokerInterval} to 1000 on
 * every client of the JVM. Before the first client, set the system properties
 * {@code rocketmq.client.rebalance.waitInterval} to 1000 and
 * {@code rocketmq.client.rebalance.minInterval} to 200.
 *
 * <p>Acknowledged data survive {@link #kill()} in the page cache. The broker writes consumer
 * offsets every 5 s and the state of delayed messages every 10 s, so it delivers some messages
 * again after a kill. {@link #restart()} and {@link #close()} kill it too: a normal end would take
 * more than ten seconds and keep no more data.
 */
public final class LocalRocketMq extends LocalServer {

  private static final String AUTH = "org.apache.rocketmq.auth.";

  /** Short, because a request during the start may get no answer. */
  private static final int PROBE_MILLIS = 1_000;

  private static final int SILENCE_MILLIS = 30_000;

  /** The broker listens at its port and, for a second kind of client, at its port minus two. */
  private static final int TO_SECOND_PORT = 2;

  private final int brokerPort = Loopback.freePort(TO_SECOND_PORT) + TO_SECOND_PORT;
  private final int controlPort = Loopback.freePort();

  private LocalRocketMq(Builder<LocalRocketMq> builder) {
    super("RocketMQ", builder);
  }

  /** Starts a broker with the default settings. */
  public static LocalRocketMq start() {
    return builder().start();
  }

  /** Returns a builder with the default settings. */
  public static Builder<LocalRocketMq> builder() {
    return new Builder<>("rocketmq", LocalRocketMq::new);
  }

  /**
   * Returns a builder of a server with TLS and access control. Name server and broker generate an
   * untrusted certificate at each start, which RocketMQ's clients accept by default. The broker
   * requires signed requests, and the name server accepts all. The given user has all permissions,
   * and can create other users.
   *
   * @param user the name, which RocketMQ's clients call access key
   * @param password the password, which they call secret key
   */
  public static Builder<LocalRocketMq> secured(String user, String password) {
    return builder()
        .jvmOption("-Dtls.server.mode=enforcing")
        .setting("authenticationEnabled", "true")
        .setting(
            "authenticationMetadataProvider",
            AUTH + "authentication.provider.LocalAuthenticationMetadataProvider")
        .setting(
            "initAuthenticationUser",
            "{\"username\":\"" + user + "\",\"password\":\"" + password + "\"}")
        .setting(
            "innerClientAuthenticationCredentials",
            "{\"accessKey\":\"" + user + "\",\"secretKey\":\"" + password + "\"}")
        .setting("authorizationEnabled", "true")
        .setting(
            "authorizationMetadataProvider",
            AUTH + "authorization.provider.LocalAuthorizationMetadataProvider");
  }

  /** Returns {@code host:port} of the name server. It never changes. */
  public String nameServer() {
    return address();
  }

  /** Returns {@code host:port} of the broker. It never changes. */
  public String broker() {
    return Loopback.HOST + ':' + brokerPort;
  }

  /** Creates a topic or changes its number of queues, and returns when the name server knows it. */
  public void createTopic(String name, int queues) {
    order("topic", name, Integer.toString(queues));
  }

  /** Creates a consumer group with RocketMQ's own settings. */
  public void createGroup(String name) {
    order("group", name, "1");
  }

  /**
   * Creates or changes a consumer group whose messages the broker drops when a consumer sends them
   * back ({@code retryQueueNums} is 0).
   */
  public void createGroupWithoutRetries(String name) {
    order("group", name, "0");
  }

  private void order(String... words) {
    try {
      order(SILENCE_MILLIS, words);
    } catch (IOException e) {
      throw new LocalServerException(
          "cannot create " + words[0] + ' ' + words[1] + ": " + e.getMessage(), e);
    }
  }

  private void order(int silenceMillis, String... words) throws IOException {
    try (Socket socket = Loopback.connect(controlPort)) {
      socket.setSoTimeout(silenceMillis);
      String line = String.join("\t", words) + '\n';
      socket.getOutputStream().write(line.getBytes(StandardCharsets.UTF_8));
      byte[] answer = socket.getInputStream().readAllBytes();
      String text = new String(answer, StandardCharsets.UTF_8);
      if (!text.equals("done")) {
        throw new IOException(text);
      }
    }
  }

  @Override
  ProcessBuilder program() throws IOException {
    Path home = directory().path();
    List<String> command = jvmCommand(
        "384m",
        "-XX:MaxDirectMemorySize=512m", // each thread that stores messages keeps 4 MB
        "-Dtls.server.mode=disabled", // otherwise the server generates a key at each start
        "-Duser.home=" + home, // for its logs, and files whose place no setting changes
        "-Drocketmq.home.dir=" + home,
        "-Drocketmq.broker.rebalance.lockMaxLiveTime=5000");
    String classPath = ChildJvm.brokerClassPath(
        "rocketmq",
        "io/hapax/servers/rocketmq/RocketMqBrokerMain.class",
        "io/hapax/servers/rocketmq/BrokerOrders.class",
        "io/hapax/servers/rocketmq/NoReplicas.class",
        "META-INF/service/org.apache.rocketmq.store.ha.HAService");
    command.addAll(List.of(
        "-cp",
        classPath,
        "io.hapax.servers.rocketmq.RocketMqBrokerMain",
        Integer.toString(port()),
        Integer.toString(controlPort),
        write("broker.properties", withUserSettings(settings(home))).toString()));
    ProcessBuilder process = process(command);
    process.environment().keySet().removeIf(name -> name.startsWith("NAMESRV_"));
    return process;
  }

  private Map<String, String> settings(Path home) {
    Path data = directory().data();
    Map<String, String> settings = Resources.settings("io/hapax/servers/rocketmq.properties");
    settings.put("rocketmqHome", home.toString());
    settings.put("namesrvAddr", address());
    settings.put("brokerIP1", Loopback.HOST);
    settings.put("brokerIP2", Loopback.HOST);
    settings.put("bindAddress", Loopback.HOST);
    settings.put("listenPort", Integer.toString(brokerPort));
    settings.put("storePathRootDir", data.toString());
    settings.put("storePathCommitLog", data.resolve("commitlog").toString());
    return settings;
  }

  /** Probes the main class, which listens when the name server knows the broker. */
  @Override
  void probe() throws IOException {
    order(PROBE_MILLIS, "probe");
  }

  @Override
  String endSignal(boolean dataAreKept) {
    return "KILL";
  }
}
