package io.hapax.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds a connection, and replaces it when it does not lead to a master any more.
 *
 * <p>Lettuce connects anew when a connection breaks, and asks the Sentinels where to. But the
 * connection to a server that hangs, has lost its power, or has become a replica without closing
 * it, does not break. Without this class its commands would time out or be refused for as long as
 * that lasts, even if another server is the master by then.
 *
 * <p>A connection keeps each command until the server answers it, also a command that timed out. So
 * a connection that stays silent is closed after {@value #FAILED_ATTEMPTS} attempts to connect anew
 * have failed. Calls fail at once from then on, and each starts another attempt, at most one at a
 * time, on one thread.
 */
final class Line implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Line.class);
  private static final long BETWEEN_ATTEMPTS_NANOS = Duration.ofSeconds(3).toNanos();

  /** How many attempts to connect anew fail until the silent connection is closed. */
  static final int FAILED_ATTEMPTS = 2;

  private final Optional<Supplier<? extends StatefulConnection<byte[], byte[]>>> connect;
  private final Consumer<List<Request>> nodes;
  private final AtomicLong lastAttempt = new AtomicLong(System.nanoTime() - BETWEEN_ATTEMPTS_NANOS);
  private final AtomicBoolean attempting = new AtomicBoolean();
  private final AtomicInteger failedAttempts = new AtomicInteger();
  private final AtomicInteger renewals = new AtomicInteger();
  private volatile StatefulConnection<byte[], byte[]> connection;
  private volatile boolean dropped;
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

  /** Whether the connection was closed because it was silent, and no other was made since. */
  boolean isDropped() {
    return dropped;
  }

  /** Reports that the server has answered: what failed before does not count any more. */
  void answered() {
    if (failedAttempts.get() != 0) {
      failedAttempts.set(0);
    }
  }

  /**
   * Reports that this connection is silent, closed, or leads to a replica. Returns at once.
   *
   * @param used the connection
   * @param unanswered the commands that were sent there without success
   */
  void suspect(StatefulConnection<byte[], byte[]> used, List<Request> unanswered) {
    nodes.accept(unanswered);
    connect.filter(it -> used == connection && begins()).ifPresent(source -> {
      Thread thread = new Thread(() -> attempt(used, source), "hapax-redis-reconnect");
      thread.setDaemon(true);
      try {
        thread.start();
      } catch (OutOfMemoryError noThread) { // the next time-out asks again
        attempting.set(false);
      }
    });
  }

  /** Whether an attempt may begin: one at a time, although a hanging server does not greet. */
  private boolean begins() {
    long now = System.nanoTime();
    if (now - lastAttempt.get() < BETWEEN_ATTEMPTS_NANOS
        || !attempting.compareAndSet(false, true)) {
      return false;
    }
    lastAttempt.set(now);
    return true;
  }

  private void attempt(
      StatefulConnection<byte[], byte[]> used,
      Supplier<? extends StatefulConnection<byte[], byte[]>> source) {
    try {
      replace(used, source.get());
    } catch (RedisException | IllegalStateException e) {
      LOG.debug("Redis cannot be connected to anew", e);
      if (failedAttempts.incrementAndGet() >= FAILED_ATTEMPTS) {
        drop(used);
      }
    } finally {
      attempting.set(false);
    }
  }

  private void replace(
      StatefulConnection<byte[], byte[]> used, StatefulConnection<byte[], byte[]> fresh) {
    if (replaceBy(fresh, used)) {
      LOG.info("Connected to Redis anew: the connection was silent or led to a replica");
      used.close();
    } else {
      fresh.close();
    }
  }

  private synchronized void drop(StatefulConnection<byte[], byte[]> used) {
    if (!closed && !dropped && connection == used) {
      LOG.warn("Redis does not answer and cannot be connected to anew: the connection is closed,"
          + " and calls fail at once until a new connection can be made");
      dropped = true;
      used.close();
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
    dropped = false;
    failedAttempts.set(0);
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
