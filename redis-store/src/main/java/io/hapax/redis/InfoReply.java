package io.hapax.redis;

import java.util.Optional;

/** Reads the reply to {@code INFO}. */
final class InfoReply {

  private InfoReply() {}

  static Optional<String> field(String answer, String name) {
    return answer
        .lines()
        .filter(line -> line.startsWith(name + ':'))
        .map(line -> line.substring(name.length() + 1).strip())
        .findFirst();
  }
}
