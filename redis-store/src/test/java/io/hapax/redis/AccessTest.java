package io.hapax.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hapax.mark.Claim;
import io.hapax.mark.ClaimAnswer;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.RenewAnswer;
import io.hapax.mark.Resolution;
import io.hapax.mark.Settlement;
import io.hapax.mark.Verdict;
import io.hapax.servers.LocalRedis;
import io.hapax.store.MarkQuery;
import io.hapax.store.StoreException;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.protocol.ProtocolVersion;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks users with few permissions, and databases other than the first. */
@Timeout(60)
class AccessTest {

  private static final String NEEDED = "~hapax:* ~hapax{* +eval +evalsha +time +get +set +mget +del"
      + " +hmget +hget +hlen +hscan +hset +hdel +pexpire +zadd +zrem +zrangebylex +info +config|get";
  private static final String FOR_REPLICAS = "+wait +client|setname +client|getname";
  private static final String ON_A_CLUSTER = "+cluster|nodes +asking";

  private static LocalRedis redis;

  @BeforeAll
  static void start() {
    redis = LocalRedis.start();
  }

  @AfterAll
  static void close() {
    redis.close();
  }

  private static void grant(LocalRedis server, String user, String... rights) {
    List<String> words = new ArrayList<>(List.of("ACL", "SETUSER", user, "reset", "on", ">secret"));
    for (String line : rights) {
      words.addAll(Arrays.asList(line.split(" ", -1)));
    }
    server.command(words.toArray(String[]::new));
  }

  private static RedisURI uri(LocalRedis server, String user) {
    return RedisURI.builder(Servers.uri(server))
        .withAuthentication(user, "secret")
        .build();
  }

  /** Calls every verb on each kind of mark. */
  private static void callEveryVerb(RedisDedupStore store) {
    Claim done = Marks.claim(store, "done");
    Marks.settleDone(store, done);
    assertThat(store.claim(List.of(Marks.request("done")), Marks.LEASE))
        .hasOnlyElementsOfType(ClaimAnswer.Done.class);
    Claim dead = Marks.claim(store, "dead");
    assertThat(store.renew(List.of(dead), Marks.LEASE))
        .hasOnlyElementsOfType(RenewAnswer.Renewed.class);
    store.settle(List.of(new Settlement(dead, new Verdict.Dead("why"))));
    assertThat(store.list(MarkQuery.first("orders", MarkQuery.Kind.DEAD, 10))).hasSize(1);
    MessageKey key = dead.key();
    assertThat(store.resolve(key, dead.token(), MarkState.DEAD, Resolution.REOPEN))
        .isTrue();
    assertThat(store.resolve(done.key(), done.token(), MarkState.DONE, Resolution.REOPEN))
        .isTrue();
    assertThat(store.find(List.of(key)).get(0)).isPresent();
  }

  @Test
  void the_documented_permissions_are_enough() throws IOException {
    grant(redis, "enough", NEEDED);

    try (RedisDedupStore store =
        RedisDedupStore.builder(uri(redis, "enough")).strict().build()) {
      callEveryVerb(store);
    }
    for (String page :
        List.of("../docs/redis.md", "src/main/java/io/hapax/redis/package-info.java")) {
      assertThat(
              Files.readString(Path.of(page)).replace("&#123;", "{").replaceAll("\\s+(\\* )?", " "))
          .contains(NEEDED)
          .contains(FOR_REPLICAS)
          .contains(ON_A_CLUSTER);
    }
  }

  @Test
  void the_documented_permissions_are_enough_on_a_cluster() {
    Servers.cluster().nodes().forEach(node -> grant(node, "enough", NEEDED, ON_A_CLUSTER));

    try (RedisDedupStore store = RedisDedupStore.clusterBuilder(
            Servers.cluster().nodes().stream().map(node -> uri(node, "enough")).toList())
        .namespace("hapax:enough")
        .build()) {
      callEveryVerb(store);
    }
  }

  /**
   * Uses a server of its own, because a replica that has just left would break the strict tests.
   */
  @Test
  void waiting_for_replicas_needs_more_permissions() {
    try (LocalRedis master = LocalRedis.start();
        LocalRedis replica = Servers.replicaOf(master)) {
      grant(master, "few", NEEDED);
      grant(master, "more", NEEDED, FOR_REPLICAS);

      assertThatThrownBy(() -> RedisDedupStore.builder(uri(master, "few"))
              .replicas(1, Duration.ofSeconds(1))
              .build())
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("'wait'")
          .hasMessageContaining("'client'");
      try (RedisDedupStore store = RedisDedupStore.builder(uri(master, "more"))
          .replicas(1, Duration.ofSeconds(20))
          .build()) {
        assertThat(replica.command("PING")).isEqualTo("PONG");
        Marks.settleDone(store, Marks.claim(store, "m"));
      }
    }
  }

  /** Without the last two a store opens, and warns of what it does not know. */
  static Stream<String> commands() {
    return Arrays.stream(NEEDED.split(" ", -1))
        .filter(right -> right.startsWith("+") && !right.matches(".(info|config.*)"))
        .map(right -> right.substring(1));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void a_missing_permission_is_named(String command) {
    grant(redis, "without", NEEDED, "-" + command);

    assertThatThrownBy(() -> RedisDedupStore.builder(uri(redis, "without")).build())
        .isInstanceOf(StoreException.class)
        .message()
        .containsIgnoringCase(command)
        .doesNotContain("secret");
    assertThat(redis.command("KEYS", "*trial*")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"EVAL", "EVALSHA", "TIME", "HSET"})
  void a_renamed_command_is_named(String command) {
    try (LocalRedis renaming =
        LocalRedis.builder().setting("rename-command", command + " \"\"").start()) {
      assertThatThrownBy(() -> RedisDedupStore.builder(Servers.uri(renaming)).build())
          .isInstanceOf(StoreException.class)
          .hasMessageContaining(command)
          .hasMessageContaining("rename-command")
          .hasMessageNotContaining("redis.pcall");
    }
  }

  /** Some proxies answer an error of their own to an unknown command. */
  @Test
  void a_proxy_without_hello_is_told_from_a_server_that_does_not_answer() throws Exception {
    try (ServerSocket proxy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread answering = new Thread(() -> refuseHello(proxy));
      answering.start();

      assertThatThrownBy(
              () -> RedisDedupStore.builder(Servers.uri(proxy.getLocalPort())).build())
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("unsupported command 'HELLO'")
          .hasMessageContaining("ProtocolVersion.RESP2");
      proxy.close();
      answering.join();
    }
  }

  private static void refuseHello(ServerSocket proxy) {
    while (!proxy.isClosed()) {
      try (Socket client = proxy.accept()) {
        if (client.getInputStream().read() >= 0) {
          client.getOutputStream().write("-ERR unsupported command 'HELLO'\r\n".getBytes(US_ASCII));
          client.getInputStream().readAllBytes(); // until the client hangs up
        }
      } catch (IOException e) {
        // the test has ended
      }
    }
  }

  @Test
  void a_client_of_resp2_needs_no_hello() {
    try (LocalRedis without =
            LocalRedis.builder().setting("rename-command", "HELLO \"\"").start();
        RedisClient client = RedisClient.create(Servers.uri(without))) {
      client.setOptions(ClientOptions.builder()
          .protocolVersion(ProtocolVersion.RESP2)
          .requestQueueSize(Clients.REQUEST_QUEUE)
          .build());
      try (RedisDedupStore store = RedisDedupStore.builder(client).build()) {
        callEveryVerb(store);
      }
    }
  }

  @Test
  void another_namespace_than_the_users_is_refused() {
    grant(redis, "enough", NEEDED);

    assertThatThrownBy(() ->
            RedisDedupStore.builder(uri(redis, "enough")).namespace("other").build())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("NOPERM");
  }

  @Test
  void marks_are_in_the_database_of_the_uri_also_after_a_reconnect() {
    RedisURI third = Servers.uri(redis);
    third.setDatabase(3);
    redis.command("FLUSHALL");
    try (RedisDedupStore store = RedisDedupStore.builder(third).build()) {
      Marks.settleDone(store, Marks.claim(store, "m"));
      redis.command("CLIENT", "KILL", "TYPE", "normal");
      assertThat(Marks.untilAnswered(() -> store.claim(List.of(Marks.request("m")), Marks.LEASE)))
          .hasOnlyElementsOfType(ClaimAnswer.Done.class);
    }
    assertThat(redis.command("INFO", "keyspace")).contains("db3:").doesNotContain("db0:");
  }
}
