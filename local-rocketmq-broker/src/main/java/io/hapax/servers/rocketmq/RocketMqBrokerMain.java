package io.hapax.servers.rocketmq;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.auth.config.AuthConfig;
import org.apache.rocketmq.broker.BrokerController;
import org.apache.rocketmq.common.BrokerConfig;
import org.apache.rocketmq.common.MQVersion;
import org.apache.rocketmq.common.MixAll;
import org.apache.rocketmq.common.namesrv.NamesrvConfig;
import org.apache.rocketmq.namesrv.NamesrvController;
import org.apache.rocketmq.remoting.netty.NettyClientConfig;
import org.apache.rocketmq.remoting.netty.NettyServerConfig;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;
import org.apache.rocketmq.store.config.MessageStoreConfig;

/**
 * Runs a name server and a broker in one JVM.
 *
 * <p>It has no shutdown hook. A broker takes 10 to 16 s to end normally, and its acknowledged data
 * are in the page cache, so it is killed instead.
 */
final class RocketMqBrokerMain {

  private RocketMqBrokerMain() {}

  /**
   * Runs until the JVM is killed.
   *
   * @param args the port of the name server, the port for orders, and the path of the broker's
   *     properties file. If the broker does not accept a setting, the JVM ends with status 1,
   *     because the broker itself would ignore it
   * @throws Exception if a server cannot start; the JVM then ends with status 1
   */
  public static void main(String[] args) throws Exception {
    try {
      // Without it the name server takes the broker for one that is too old to register topics.
      System.setProperty(
          RemotingCommand.REMOTING_VERSION_KEY, Integer.toString(MQVersion.CURRENT_VERSION));
      Properties settings = read(Path.of(args[2]));
      NamesrvController nameServer = startNameServer(Integer.parseInt(args[0]), settings);
      BrokerController broker = broker(settings);
      broker.start();
      register(broker, nameServer);
      new BrokerOrders(broker, nameServer).serve(Integer.parseInt(args[1]));
    } catch (Throwable e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(1); // non-daemon threads would keep the JVM alive
    }
  }

  private static Properties read(Path file) throws IOException {
    Properties settings = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      settings.load(reader);
    }
    return settings;
  }

  private static NamesrvController startNameServer(int port, Properties settings) throws Exception {
    NamesrvConfig config = new NamesrvConfig();
    Path home = Path.of(settings.getProperty("rocketmqHome"));
    config.setRocketmqHome(home.toString());
    config.setKvConfigPath(home.resolve("kvConfig.json").toString());
    config.setConfigStorePath(home.resolve("namesrv.properties").toString());
    NettyServerConfig netty = new NettyServerConfig();
    netty.setListenPort(port);
    netty.setBindAddress(settings.getProperty("bindAddress"));
    NamesrvController controller = new NamesrvController(config, netty);
    require(controller.initialize(), "the name server does not initialize");
    controller.start();
    return controller;
  }

  private static BrokerController broker(Properties settings) throws Exception {
    BrokerConfig broker = new BrokerConfig();
    NettyServerConfig server = new NettyServerConfig();
    NettyClientConfig client = new NettyClientConfig();
    MessageStoreConfig store = new MessageStoreConfig();
    AuthConfig auth = new AuthConfig();
    apply(settings, broker, server, client, store, auth);
    // As in RocketMQ's own start: without them no user can be authenticated.
    auth.setConfigName(broker.getBrokerName());
    auth.setClusterName(broker.getBrokerClusterName());
    auth.setAuthConfigPath(
        Path.of(store.getStorePathRootDir()).resolve("config").toString());
    BrokerController controller = new BrokerController(broker, server, client, store, auth);
    require(controller.initialize(), "the broker does not initialize");
    return controller;
  }

  /**
   * Registers the broker. The broker registers itself at its start only with name servers that it
   * has reached by then, and tries again ten seconds later.
   */
  private static void register(BrokerController broker, NamesrvController nameServer)
      throws InterruptedException {
    while (nameServer
        .getRouteInfoManager()
        .getAllClusterInfo()
        .getBrokerAddrTable()
        .isEmpty()) {
      broker.registerBrokerAll(true, false, true);
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private static void apply(Properties settings, Object... configs) {
    Properties taken = new Properties();
    for (Object config : configs) {
      MixAll.properties2Object(settings, config);
      taken.putAll(MixAll.object2Properties(config));
    }
    settings.forEach((name, value) -> require(
        String.valueOf(value).equals(taken.getProperty(String.valueOf(name))),
        "Setting " + name + "=" + value + " is not accepted by the broker"));
  }

  static void require(boolean fulfilled, String complaint) {
    if (!fulfilled) {
      throw new IllegalStateException(complaint);
    }
  }
}
