package io.hapax.redis;

import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds a connection, and another one when that does not lead to a master any more.
 *
 * <p>Lettuce connects anew when a connection breaks, and asks the Sentinels where to. But one whose
 * server hangs, has lost its power, or has become a replica without closing it, does not break:
 * without this its commands would time out or be refused for as long as that lasts, whoever is
 * master meanwhile.
 */
final class Line implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Line.class);

  private final Optional<Supplier<? extends StatefulConnection<byte[], byte[]>>> connect;
  private final AtomicBoolean renewing = new AtomicBoolean();
  private volatile StatefulConnection<byte[], byte[]> connection;
  private boolean closed;

  private Line(
      StatefulConnection<byte[], byte[]> connection,
      Optional<Supplier<? extends StatefulConnection<byte[], byte[]>>> connect) {
    this.connection = connection;
    this.connect = connect;
  }

  /** A connection that finds its way by itself, or that somebody else replaces. */
  static Line fixed(StatefulConnection<byte[], byte[]> connection) {
    return new Line(connection, Optional.empty());
  }

  /** A connection of that kind, which is replaced by another one if it has to be. */
  static Line renewable(Supplier<? extends StatefulConnection<byte[], byte[]>> connect) {
    return new Line(connect.get(), Optional.of(connect));
  }

  StatefulConnection<byte[], byte[]> connection() {
    return connection;
  }

  /** Says that this connection is silent or leads to a replica. Returns at once. */
  void suspect(StatefulConnection<byte[], byte[]> used) {
    if (used == connection && renewing.compareAndSet(false, true)) {
      connect.ifPresentOrElse(
          it -> {
            Thread thread = new Thread(() -> renew(it), "hapax-redis-reconnect");
            thread.setDaemon(true);
            thread.start();
          },
          () -> renewing.set(false));
    }
  }

  private void renew(Supplier<? extends StatefulConnection<byte[], byte[]>> source) {
    try {
      replaceBy(source.get()).close();
      LOG.info("Connected to Redis anew, because the connection was silent or led to a replica");
    } catch (RedisException | IllegalStateException e) {
      LOG.debug("Redis cannot be connected to anew; the old connection is kept", e);
    } finally {
      renewing.set(false);
    }
  }

  /** Gives the one that is not needed any more. */
  private synchronized StatefulConnection<byte[], byte[]> replaceBy(
      StatefulConnection<byte[], byte[]> fresh) {
    if (closed) {
      return fresh;
    }
    StatefulConnection<byte[], byte[]> old = connection;
    connection = fresh;
    return old;
  }

  @Override
  public synchronized void close() {
    closed = true;
    connection.close();
  }
}
