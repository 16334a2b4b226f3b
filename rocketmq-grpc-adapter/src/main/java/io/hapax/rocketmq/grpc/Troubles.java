package io.hapax.rocketmq.grpc;

import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is wrong, from several who know of it, for people. */
final class Troubles {

  private Troubles() {}

  /** All of it in one line: none hides the others. */
  static Optional<String> joined(Stream<Optional<String>> troubles) {
    String all = troubles.flatMap(Optional::stream).distinct().collect(Collectors.joining("; "));
    return Optional.of(all).filter(text -> !text.isEmpty());
  }
}
