package io.hapax.servers;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A real RocketMQ name server with one broker, in a JVM of their own, from the artifact
 * {@code local-rocketmq-broker}, 94 MB, which whoever starts one puts on the class path.
 *
 * <pre>{@code
 * try (LocalRocketMq rocketMq = LocalRocketMq.start()) {
 *   rocketMq.createTopic("orders", 4);
 *   consumer.setNamesrvAddr(rocketMq.nameServer());
 * }
 * }</pre>
 *
 * <p>Topics are not created by themselves, consumer groups are. It retries fast: the delay levels
 * are {@code 1s 1s 1s 2s 3s 4s 5s 6s 7s 8s 9s 10s 20s 30s 1m 2m 3m 4m}. Two settings that decide
 * how long a vanished consumer is waited for are 5 s here and in production 120 s
 * ({@code channelExpiredTimeout}, of which the broker takes notice every 10 s) and 60 s
 * ({@code -Drocketmq.broker.rebalance.lockMaxLiveTime}, the locks of orderly consumers).
 *
 * <p>Clients have intervals of their own that are made for big clusters: a consumer finds its retry
 * topic only when it next asks the name server, after 30 s, and gives a sign of life every 30 s,
 * for want of which this broker forgets it. Set {@code pollNameServerInterval} and
 * {@code heartbeatBrokerInterval} to 1000 on every client of the JVM, and the system properties
 * {@code rocketmq.client.rebalance.waitInterval} to 1000 and
 * {@code rocketmq.client.rebalance.minInterval} to 200 before the first.
 *
 * <p>With {@link Builder#grpc()} RocketMQ's proxy runs before the broker, in the same JVM, for the
 * clients that speak gRPC. They need the topics' types and the groups made beforehand. They give a
 * sign of life every 10 s, so {@code channelExpiredTimeout} is RocketMQ's own then.
 *
 * <p>What the broker acknowledged survives {@link #kill()}: it lies in the page cache. How far its
 * consumers are, and which delayed messages are delivered, it writes every 5 s and 10 s, so after a
 * kill it delivers some messages again. It is always killed, by {@link #restart()} and
 * {@link #close()} too, because in good order it would need more than ten seconds for the same.
 */
public final class LocalRocketMq extends LocalServer {

  private static final int SILENCE_MILLIS = 30_000;

  private final RocketMqProgram program;
  private final RocketMqWire wire;

  private LocalRocketMq(RocketMqProgram program, ServerPlan plan) {
    super(program, plan);
    this.program = program;
    this.wire = program.wire();
  }

  /** Starts a broker on an empty temporary directory, which is deleted with it. */
  public static LocalRocketMq start() {
    return builder().start();
  }

  /**
   * Starts a broker on that directory and the data in it, if any. It is made if it is missing, and
   * never deleted.
   */
  public static LocalRocketMq start(Path directory) {
    return builder().directory(directory).start();
  }

  /** What {@link #start()} would do, to be changed before {@link Builder#start()}. */
  public static Builder builder() {
    return new Builder();
  }

  /** {@code host:port} of the name server, the same as long as this object lives. */
  public String nameServer() {
    return Loopback.HOST + ':' + port();
  }

  /** {@code host:port} of the broker, the same as long as this object lives. */
  public String broker() {
    return Loopback.HOST + ':' + program.brokerPort();
  }

  /**
   * {@code host:port} of the proxy, the same as long as this object lives. It speaks no TLS.
   *
   * @throws IllegalStateException unless it was started with {@link Builder#grpc()}
   */
  public String endpoints() {
    if (!program.hasProxy()) {
      throw new IllegalStateException(this + " was started without a proxy: say grpc()");
    }
    return Loopback.HOST + ':' + program.proxyPort();
  }

  /**
   * Creates a topic, or changes how many queues it has, and returns when the name server knows it.
   *
   * @throws LocalServerException if the broker does not do it within half a minute
   */
  public void createTopic(String name, int queues) {
    createTopic(name, queues, MessageType.UNSPECIFIED);
  }

  /**
   * The same for messages of one type, which a proxy insists on.
   *
   * @throws LocalServerException if the broker does not do it within half a minute
   */
  public void createTopic(String name, int queues, MessageType type) {
    String number = Integer.toString(queues);
    try {
      wire.ask(
          program.brokerPort(),
          SILENCE_MILLIS,
          RocketMqWire.UPDATE_AND_CREATE_TOPIC,
          Map.of(
              "topic", name,
              "defaultTopic", "TBW102",
              "readQueueNums", number,
              "writeQueueNums", number,
              "perm", "6",
              "topicFilterType", "SINGLE_TAG",
              "topicSysFlag", "0",
              "order", "false",
              "attributes", type == MessageType.UNSPECIFIED ? "" : "+message.type=" + type));
      awaitRoute(name, "\"readQueueNums\":" + number);
    } catch (IOException e) {
      throw new LocalServerException("cannot create topic " + name, e);
    }
  }

  /**
   * Creates a consumer group, or changes it. A message of it that fails comes again after a second.
   *
   * @param retryMaxTimes how often a message comes again before the broker moves it to the group's
   *     own dead-letter topic; RocketMQ's default is 16
   * @param fifo whether messages of one message group wait for each other
   * @throws LocalServerException if the broker does not do it within half a minute
   */
  public void createGroup(String name, int retryMaxTimes, boolean fifo) {
    try {
      wire.ask(
          program.brokerPort(),
          SILENCE_MILLIS,
          RocketMqWire.UPDATE_AND_CREATE_GROUP,
          Map.of(),
          "{\"groupName\":" + RocketMqWire.quoted(name) + ",\"retryMaxTimes\":" + retryMaxTimes
              + ",\"consumeMessageOrderly\":" + fifo + ",\"groupRetryPolicy\":{\"type\":"
              + "\"CUSTOMIZED\",\"customizedRetryPolicy\":{\"next\":[1000]}}}");
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

  /** Empty while the name server does not know the topic. */
  private String route(String topic) throws IOException {
    try {
      return wire.ask(
          port(), SILENCE_MILLIS, RocketMqWire.GET_ROUTE_OF_TOPIC, Map.of("topic", topic));
    } catch (RocketMqWire.Refusal e) {
      return "";
    }
  }

  /** What a topic's messages are. */
  public enum MessageType {
    /** Whatever is sent; a proxy takes such a topic for none at all. */
    UNSPECIFIED,
    /** Messages without more. */
    NORMAL,
    /** Messages with message groups, each of which keeps its order. */
    FIFO,
    /** Messages with a time of delivery. */
    DELAY,
    /** Messages of transactions. */
    TRANSACTION
  }

  /** Settings of a broker that is not started yet. */
  public static final class Builder extends LocalServer.Builder<LocalRocketMq, Builder> {

    private final List<String> jvmOptions = new ArrayList<>();
    private final Map<String, String> proxy = new TreeMap<>();
    private RocketMqAccess access = RocketMqAccess.OPEN;

    private Builder() {
      super("rocketmq");
    }

    /**
     * Adds an option of the broker's JVM; it wins over the default, which is made for a fast start
     * of a small broker. For throughput, {@code -Xmx1g} and {@code -XX:TieredStopAtLevel=4}.
     */
    public Builder jvmOption(String option) {
      jvmOptions.add(option);
      return this;
    }

    /**
     * Starts the proxy too, which listens at a port of its own; see
     * {@link LocalRocketMq#endpoints()}.
     */
    public Builder grpc() {
      proxy.put("proxyMode", "LOCAL");
      proxy.put("localServeAddr", Loopback.HOST);
      proxy.put(RocketMqProgram.PROXY_PORT, Integer.toString(Loopback.freePort()));
      return this;
    }

    /** Sets one of the proxy's own settings; to be called after {@link #grpc()}. */
    public Builder proxySetting(String name, String value) {
      proxy.put(name, value);
      return this;
    }

    /**
     * Lets name server and broker speak TLS and nothing else, with a certificate that they make
     * themselves at each start and that nobody trusts: RocketMQ's clients do not ask for more
     * unless they are told to. Not with {@link #grpc()}.
     */
    public Builder tls() {
      access = access.withTls();
      return this;
    }

    /**
     * Lets the broker obey only those who sign, and that user in everything; others whom he makes
     * may do what he allows them. The name server obeys everybody. Not with {@link #grpc()}.
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
      if (!proxy.isEmpty() && !access.equals(RocketMqAccess.OPEN)) {
        throw new IllegalStateException("grpc() does not go with tls() or accessControl(..):"
            + " the proxy knows of neither here");
      }
      return new LocalRocketMq(
          new RocketMqProgram(plan, List.copyOf(jvmOptions), Map.copyOf(proxy), access), plan);
    }
  }
}
