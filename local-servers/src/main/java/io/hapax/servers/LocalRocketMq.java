package io.hapax.servers;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
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

  private static final int SILENCE_MILLIS = 30_000;

  private final RocketMqProgram program;
  private final RocketMqConnection wire;

  private LocalRocketMq(RocketMqProgram program, ServerPlan plan) {
    super(program, plan);
    this.program = program;
    this.wire = program.wire();
  }

  /** Starts a broker on an empty temporary directory. Closing the broker deletes it. */
  public static LocalRocketMq start() {
    return builder().start();
  }

  /**
   * Starts a broker on that directory and its data, if any. The directory is created if it is
   * missing, and never deleted.
   */
  public static LocalRocketMq start(Path directory) {
    return builder().directory(directory).start();
  }

  /** Returns a builder with the defaults of {@link #start()}. */
  public static Builder builder() {
    return new Builder();
  }

  /** Returns {@code host:port} of the name server. It never changes. */
  public String nameServer() {
    return Loopback.HOST + ':' + port();
  }

  /** Returns {@code host:port} of the broker. It never changes. */
  public String broker() {
    return Loopback.HOST + ':' + program.brokerPort();
  }

  /**
   * Creates a topic or changes its number of queues, and returns when the name server knows it.
   *
   * @throws LocalServerException if the broker does not do it within half a minute
   */
  public void createTopic(String name, int queues) {
    String number = Integer.toString(queues);
    try {
      wire.ask(
          program.brokerPort(),
          SILENCE_MILLIS,
          RocketMqConnection.UPDATE_AND_CREATE_TOPIC,
          Map.of(
              "topic", name,
              "defaultTopic", "TBW102",
              "readQueueNums", number,
              "writeQueueNums", number,
              "perm", "6",
              "topicFilterType", "SINGLE_TAG",
              "topicSysFlag", "0",
              "order", "false"));
      awaitRoute(name, "\"readQueueNums\":" + number);
    } catch (IOException e) {
      throw new LocalServerException("cannot create topic " + name, e);
    }
  }

  /**
   * Creates a consumer group with RocketMQ's own settings.
   *
   * @throws LocalServerException if the broker does not do it within half a minute
   */
  public void createGroup(String name) {
    createGroup(name, "");
  }

  /**
   * Creates or changes a consumer group whose messages the broker drops when a consumer sends them
   * back ({@code retryQueueNums} is 0).
   *
   * @throws LocalServerException if the broker does not do it within half a minute
   */
  public void createGroupWithoutRetries(String name) {
    createGroup(name, ",\"retryQueueNums\":0");
  }

  private void createGroup(String name, String settings) {
    try {
      wire.ask(
          program.brokerPort(),
          SILENCE_MILLIS,
          RocketMqConnection.UPDATE_AND_CREATE_GROUP,
          Map.of(),
          "{\"groupName\":" + RocketMqConnection.quoted(name) + settings + "}");
    } catch (IOException e) {
      throw new LocalServerException("cannot create group " + name, e);
    }
  }

  private void awaitRoute(String topic, String queues) throws IOException {
    Deadline deadline = Deadline.in(Duration.ofMillis(SILENCE_MILLIS));
    while (!route(topic).contains(queues)) {
      if (deadline.hasPassed()) {
        throw new IOException("the name server does not know of " + queues);
      }
    }
  }

  /** Returns the route; empty while the name server does not know the topic. */
  private String route(String topic) throws IOException {
    try {
      return wire.ask(
          port(), SILENCE_MILLIS, RocketMqConnection.GET_ROUTE_OF_TOPIC, Map.of("topic", topic));
    } catch (RocketMqConnection.Refusal e) {
      return "";
    }
  }

  /** Settings of a broker before its start. */
  public static final class Builder extends LocalServer.Builder<LocalRocketMq, Builder> {

    private final List<String> jvmOptions = new ArrayList<>();
    private RocketMqAccess access = RocketMqAccess.OPEN;

    private Builder() {
      super("rocketmq");
    }

    /**
     * Adds an option of the broker's JVM. It overrides the default, which suits a fast start of a
     * small broker. For throughput, use {@code -Xmx1g} and {@code -XX:TieredStopAtLevel=4}.
     */
    public Builder jvmOption(String option) {
      jvmOptions.add(option);
      return this;
    }

    /**
     * Makes name server and broker require TLS. They generate an untrusted certificate at each
     * start, which RocketMQ's clients accept by default.
     */
    public Builder tls() {
      access = access.withTls();
      return this;
    }

    /**
     * Makes the broker require signed requests. The given user has all permissions, and can create
     * other users. The name server accepts all requests.
     *
     * @param user the name, which RocketMQ's clients call access key
     * @param password the password, which they call secret key
     */
    public Builder accessControl(String user, String password) {
      access = access.withUser(user, password);
      return this;
    }

    @Override
    Builder self() {
      return this;
    }

    @Override
    LocalRocketMq create(ServerPlan plan) {
      return new LocalRocketMq(
          new RocketMqProgram(plan, List.copyOf(jvmOptions), access), plan);
    }
  }
}
