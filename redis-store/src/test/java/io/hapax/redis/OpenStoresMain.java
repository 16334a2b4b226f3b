package io.hapax.redis;

import java.util.Arrays;

/** The main class of a JVM that opens a store at each given port and closes it. */
final class OpenStoresMain {

  private OpenStoresMain() {}

  public static void main(String[] args) {
    Arrays.stream(args)
        .map(Integer::parseInt)
        .forEach(port -> RedisDedupStore.builder(Servers.uri(port)).build().close());
    System.exit(0);
  }
}
