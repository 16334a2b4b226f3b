package io.hapax.bench;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** A store on a server that runs. */
interface Place extends AutoCloseable {

  /** What the server says of itself: its version and the settings that decide its speed. */
  Map<String, String> settings() throws Exception;

  /** The server's process; empty if it is this one. */
  OptionalLong pid();

  /** Empties the store and everything beside it, and puts the first so many known messages in. */
  void fill(long known) throws Exception;

  /** What is measured at a batch size. */
  List<Contender> contenders(int batch, long known);

  /** What is measured beside it, message by message. */
  List<Contender> floors();

  /** Forgets what the server counted so far. */
  default void countAnew() throws Exception {}

  /** What the server says of the commands since then; empty if it counts none. */
  default String counted() throws Exception {
    return "";
  }

  @Override
  void close();
}
