package io.hapax.redis;

import io.lettuce.core.RedisURI;
import java.util.List;

/**
 * The main class of a JVM that logs at every level, fails to open stores in many ways, and prints
 * each error with all its causes. Its arguments are a plain port, a TLS port, and the password that
 * must not appear.
 */
final class FailedOpensMain {

  private FailedOpensMain() {}

  public static void main(String[] args) {
    int plain = Integer.parseInt(args[0]);
    int tls = Integer.parseInt(args[1]);
    String password = args[2];
    List<RedisURI.Builder> uris = List.of(
        RedisURI.builder().withHost("127.0.0.1").withPort(plain),
        RedisURI.builder().withHost("127.0.0.1").withPort(1),
        RedisURI.builder().withHost("nobody.invalid").withPort(plain),
        RedisURI.builder().withHost("127.0.0.1").withPort(tls).withSsl(true),
        RedisURI.builder().withHost("127.0.0.1").withPort(plain).withSsl(true),
        RedisURI.builder().withSentinel("127.0.0.1", 1).withSentinelMasterId("m"));
    for (RedisURI.Builder uri : uris) {
      tryToOpen(RedisDedupStore.builder(
          uri.withAuthentication("app", password.toCharArray()).build()));
    }
    tryToOpen(RedisDedupStore.clusterBuilder(
        List.of(uris.get(0).withAuthentication("app", password.toCharArray()).build())));
    System.exit(0);
  }

  private static void tryToOpen(RedisDedupStoreBuilder builder) {
    try {
      builder.build().close();
      System.out.println("opened");
    } catch (RuntimeException e) {
      e.printStackTrace(System.out);
    }
  }
}
