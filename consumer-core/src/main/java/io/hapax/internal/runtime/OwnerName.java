package io.hapax.internal.runtime;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Names the owner of a mark for operators: host, process and consumer. */
public final class OwnerName {

  private OwnerName() {}

  /** Returns for example {@code shop-7-4711/orders}; at most 255 + 21 + 200 characters. */
  public static String of(String scope) {
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
