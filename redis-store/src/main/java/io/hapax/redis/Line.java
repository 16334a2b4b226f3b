package io.hapax.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
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
  private static final long BETWEEN_ATTEMPTS_NANOS = Duration.ofSeconds(3).toNanos();

  private final Optional<Supplier<? extends StatefulConnection<byte[], byte[]>>> connect;
  private final Consumer<List<Request>> nodes;
  private final AtomicLong lastAttempt = new AtomicLong(System.nanoTime() - BETWEEN_ATTEMPTS_NANOS);
  private final AtomicInteger renewals = new AtomicInteger();
  private volatile StatefulConnection<byte[], byte[]> connection;
  private boolean closed;

  private Line(
      StatefulConnection<byte[], byte[]> connection,
      Optional<Supplier<? extends StatefulConnection<byte[], byte[]>>> connect,
      Consumer<List<Request>> nodes) {
    this.connection = connection;
    this.connect = connect;
    this.nodes = nodes;
    if (connect.isPresent()) {
      countReconnects(connection);
    }
  }

  private void countReconnects(StatefulConnection<byte[], byte[]> counted) {
    counted.addListener(new RedisConnectionStateListener() {
      @Override
      public void onRedisConnected(RedisChannelHandler<?, ?> handler, SocketAddress address) {
        renewals.incrementAndGet();
      }
    });
  }

  /** A connection that finds its way by itself, or that somebody else replaces. */
  static Line fixed(StatefulConnection<byte[], byte[]> connection) {
    return new Line(connection, Optional.empty(), unanswered -> {});
  }

  /** A connection to a cluster: it has one to each node, and those are looked after. */
  static Line ofNodes(StatefulConnection<byte[], byte[]> cluster, SilentNodes nodes) {
    return new Line(cluster, Optional.empty(), nodes::suspect);
  }

  /** A connection of that kind, which is replaced by another one if it has to be. */
  static Line renewable(Supplier<? extends StatefulConnection<byte[], byte[]>> connect) {
    return new Line(connect.get(), Optional.of(connect), unanswered -> {});
  }

  StatefulConnection<byte[], byte[]> connection() {
    return connection;
  }

  /**
   * Grows each time that the connection is made anew, by Lettuce or here; not if it is a fixed one,
   * which may outlive many lines.
   */
  int renewals() {
    return renewals.get();
  }

  /**
   * Says that this connection is silent or leads to a replica. Returns at once.
   *
   * @param used the connection
   * @param unanswered what was sent there in vain
   */
  void suspect(StatefulConnection<byte[], byte[]> used, List<Request> unanswered) {
    nodes.accept(unanswered);
    connect.filter(it -> used == connection && isDue()).ifPresent(source -> {
      Thread thread = new Thread(() -> replace(used, source), "hapax-redis-reconnect");
      thread.setDaemon(true);
      thread.start();
    });
  }

  /** One at a time, unless it hangs: a hanging server takes connections and does not greet. */
  private boolean isDue() {
    long last = lastAttempt.get();
    long now = System.nanoTime();
    return now - last >= BETWEEN_ATTEMPTS_NANOS && lastAttempt.compareAndSet(last, now);
  }

  private void replace(
      StatefulConnection<byte[], byte[]> used,
      Supplier<? extends StatefulConnection<byte[], byte[]>> source) {
    try {
      StatefulConnection<byte[], byte[]> fresh = source.get();
      if (replaceBy(fresh, used)) {
        LOG.info("Connected to Redis anew: the connection was silent or led to a replica");
        used.close();
      } else {
        fresh.close();
      }
    } catch (RedisException | IllegalStateException e) {
      LOG.debug("Redis cannot be connected to anew; the old connection is kept", e);
    }
  }

  private synchronized boolean replaceBy(
      StatefulConnection<byte[], byte[]> fresh, StatefulConnection<byte[], byte[]> used) {
    if (closed || connection != used) {
      return false;
    }
    // Before, so that whoever got a reply of the new server looks at it; and after, so that whoever
    // has looked in between, and has still asked the old one, looks again.
    renewals.incrementAndGet();
    connection = fresh;
    renewals.incrementAndGet();
    countReconnects(fresh);
    return true;
  }

  @Override
  public synchronized void close() {
    closed = true;
    connection.close();
  }
}
