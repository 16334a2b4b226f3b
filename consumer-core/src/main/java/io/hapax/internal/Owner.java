package io.hapax.internal;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Names a receiver for people who find a mark of its: which machine, which process, which work. */
final class Owner {

  private Owner() {}

  /** For example {@code shop-7-4711/orders}; at most 255 + 21 + 200 characters. */
  static String of(String scope) {
    return host() + "-" + ProcessHandle.current().pid() + "/" + scope;
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown-host";
    }
  }
}
