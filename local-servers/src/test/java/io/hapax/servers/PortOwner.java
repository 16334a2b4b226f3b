package io.hapax.servers;

import java.io.IOException;
import java.nio.file.Path;

/** The main class of a JVM that reserves a port and prints whether it could. */
final class PortOwner {

  private PortOwner() {}

  public static void main(String[] args) throws IOException {
    System.out.println(ReservedPorts.in(Path.of(args[0])).reserve(Integer.parseInt(args[1])));
    int unused = System.in.read(); // until this JVM is killed
  }
}
