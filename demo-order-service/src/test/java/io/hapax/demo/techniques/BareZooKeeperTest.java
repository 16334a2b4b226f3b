package io.hapax.demo.techniques;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hapax.demo.scene.OnStage;
import io.hapax.demo.scene.Servers;
import io.hapax.demo.scene.Sql;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
@ExtendWith(OnStage.class)
class BareZooKeeperTest {

  private static final String LOCK = "/order-1";
  private static final int TICK_MILLIS = 500;
  private static final int SESSION_MILLIS = 10_000;
  private static final Duration BOUND = Duration.ofSeconds(30);

  @Test
  void a_paused_owner_works_on_after_its_session_has_expired(Servers servers, @TempDir Path folder)
      throws Exception {
    ZooKeeperServer server = new ZooKeeperServer(folder.toFile(), folder.toFile(), TICK_MILLIS);
    ServerCnxnFactory connections = new NIOServerCnxnFactory();
    connections.configure(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
    connections.startup(server);
    try (ZooKeeper first = connect(connections);
        ZooKeeper second = connect(connections);
        Connection database = servers.postgres().getConnection()) {
      Sql.createAfresh(database, "voucher", "owner VARCHAR(20) NOT NULL");
      lock(first);
      server.closeSession(first.getSessionId()); // the process has paused for too long

      await().atMost(BOUND).ignoreExceptions().untilAsserted(() -> lock(second));
      Sql.update(database, "INSERT INTO voucher VALUES ('second')");
      Sql.update(database, "INSERT INTO voucher VALUES ('first')"); // it continues

      assertThat(owner(second)).isEqualTo(second.getSessionId());
      assertThat(Sql.rows(database, "SELECT owner FROM voucher")).hasSize(2);
    } finally {
      connections.shutdown();
    }
  }

  private static ZooKeeper connect(ServerCnxnFactory connections) throws IOException {
    return new ZooKeeper("127.0.0.1:" + connections.getLocalPort(), SESSION_MILLIS, event -> {});
  }

  private static void lock(ZooKeeper client) throws KeeperException, InterruptedException {
    client.create(LOCK, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
  }

  private static long owner(ZooKeeper client) throws KeeperException, InterruptedException {
    return client.exists(LOCK, false).getEphemeralOwner();
  }
}
