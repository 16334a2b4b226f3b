package io.hapax.redis;

import io.hapax.servers.LocalRedis;
import io.hapax.testkit.fault.FaultProxy;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.SocketAddressResolver;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Creates a client like the store's own, which reaches every server through a proxy. It uses the
 * addresses that nodes and Sentinels announce; only the way to an address differs, so all other
 * clients reach the servers directly.
 */
final class ProxiedClient {

  private final ClientResources resources;

  private ProxiedClient(FaultProxy proxy, List<LocalRedis> servers) {
    List<Integer> ports = servers.stream().map(LocalRedis::port).toList();
    this.resources = ClientResources.builder()
        .socketAddressResolver(new SocketAddressResolver() {
          @Override
          public SocketAddress resolve(RedisURI uri) {
            int port = uri.getPort();
            return new InetSocketAddress(
                uri.getHost(), ports.contains(port) ? proxy.portBefore(port) : port);
          }
        })
        .build();
  }

  static Deployment.Route toCluster(FaultProxy proxy, List<LocalRedis> nodes) {
    ProxiedClient detour = new ProxiedClient(proxy, nodes);
    List<RedisURI> uris =
        nodes.stream().map(Servers::uri).map(Clients::withConnectTimeout).toList();
    RedisClusterClient client = RedisClusterClient.create(detour.resources, uris);
    client.setOptions(Clients.clusterOptions());
    return new Deployment.Route(
        RedisDedupStore.clusterBuilder(client), () -> detour.end(client::shutdown));
  }

  static Deployment.Route pastSentinels(FaultProxy proxy, RedisURI sentinels, LocalRedis master) {
    ProxiedClient detour = new ProxiedClient(proxy, List.of(master));
    RedisClient client = RedisClient.create(detour.resources, sentinels);
    client.setOptions(Clients.standaloneOptions());
    return new Deployment.Route(
        RedisDedupStore.builder(client), () -> detour.end(client::shutdown));
  }

  private void end(Runnable client) {
    client.run();
    resources.shutdown(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }
}
