package io.hapax.servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The main class of a JVM that owns a server of each kind in its arguments and ends abnormally. It
 * prints the process ids, its watchdog's last, and reads one command a line.
 */
final class ServerOwner {

  private ServerOwner() {}

  public static void main(String[] args) throws IOException {
    List<LocalServer> servers = Arrays.stream(args)
        .map(ServerKind::valueOf)
        .parallel()
        .map(ServerKind::start)
        .toList();
    System.out.println(servers.stream()
        .map(server -> Long.toString(server.pid()))
        .collect(Collectors.joining(" ", "pids ", " " + Processes.watchdog().pid())));
    BufferedReader words =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String word = words.readLine(); word != null; word = words.readLine()) {
      switch (word) {
        case "pause" -> servers.forEach(LocalServer::pause);
        case "exit" -> System.exit(0);
        default -> throw new IllegalArgumentException(word);
      }
      System.out.println("done");
    }
  }
}
