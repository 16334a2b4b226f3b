package io.hapax.redis;

import java.util.Optional;

/** Reads what {@code INFO} answers. */
final class Info {

  private Info() {}

  static Optional<String> field(String answer, String name) {
    return answer
        .lines()
        .filter(line -> line.startsWith(name + ':'))
        .map(line -> line.substring(name.length() + 1).strip())
        .findFirst();
  }
}
