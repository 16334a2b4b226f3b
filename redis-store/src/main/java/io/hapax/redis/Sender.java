package io.hapax.redis;

import java.util.List;

/** Sends commands and waits for what becomes of them. */
interface Sender extends AutoCloseable {

  /** Sends all at once and waits for all; the i-th reply belongs to the i-th request. */
  List<Reply> send(List<Request> requests);

  /** Ends the connections that it uses. */
  @Override
  void close();
}
