package io.hapax.servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * The main class of a JVM that owns servers and comes to a bad end. It obeys one word on each line
 * of its input.
 */
final class ServerOwner {

  private ServerOwner() {}

  public static void main(String[] args) throws IOException {
    LocalKafka kafka = LocalKafka.start();
    LocalPostgres postgres = LocalPostgres.start();
    System.out.println("pids " + kafka.pid() + ' ' + postgres.pid() + ' '
        + Processes.watchdog().pid());
    BufferedReader words =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String word = words.readLine(); word != null; word = words.readLine()) {
      switch (word) {
        case "pause" -> {
          kafka.pause();
          postgres.pause();
        }
        case "exit" -> System.exit(0);
        default -> throw new IllegalArgumentException(word);
      }
      System.out.println("done");
    }
  }
}
