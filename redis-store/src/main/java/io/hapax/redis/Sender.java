package io.hapax.redis;

import java.util.List;

/** Sends commands and waits for their replies. */
interface Sender extends AutoCloseable {

  /** Sends all requests at once and waits; the i-th reply belongs to the i-th request. */
  List<Reply> send(List<RedisRequest> requests);

  @Override
  void close();
}
