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
 * Holds a connection, and replaces it when it no longer leads to a master.
 *
 * <p>Lettuce reconnects a broken connection, and asks the Sentinels for the master. But a
 * connection does not break if its server hangs, loses power or silently becomes a replica. Without
 * this class, commands on it would time out or be refused until it breaks, although another server
 * may be the master by then.
 *
 * <p>A connection keeps each command until the server answers it, even a command that timed out. So
 * a silent connection is closed after {@value #FAILED_ATTEMPTS} failed attempts to replace it. From
 * then on calls fail at once. Each of them starts another attempt; one thread makes one attempt at
 * a time.
 */
final class RenewableConnection implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RenewableConnection.class);
  private static final long BETWEEN_ATTEMPTS_NANOS = Duration.ofSeconds(3).toNanos();

  /** The number of failed attempts after which the silent connection is closed. */
  static final int FAILED_ATTEMPTS = 2;

  private final Optional<Supplier<? extends StatefulConnection<byte[], byte[]>>> connect;
  private final Consumer<List<RedisRequest>> nodes;
  private final AtomicLong lastAttempt = new AtomicLong(System.nanoTime() - BETWEEN_ATTEMPTS_NANOS);
  private final AtomicBoolean attempting = new AtomicBoolean();
  private final AtomicInteger failedAttempts = new AtomicInteger();
  private final AtomicInteger epoch = new AtomicInteger();
  private volatile StatefulConnection<byte[], byte[]> connection;
  private volatile boolean dropped;
  private boolean closed;

  private RenewableConnection(
      StatefulConnection<byte[], byte[]> connection,
      Optional<Supplier<? extends StatefulConnection<byte[], byte[]>>> connect,
      Consumer<List<RedisRequest>> nodes) {
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
        epoch.incrementAndGet();
      }
    });
  }

  /** Wraps a connection that another component maintains, or that needs no maintenance. */
  static RenewableConnection fixed(StatefulConnection<byte[], byte[]> connection) {
    return new RenewableConnection(connection, Optional.empty(), unanswered -> {});
  }

  /** Wraps a cluster connection; a reconnector maintains its connections to the nodes. */
  static RenewableConnection ofNodes(
      StatefulConnection<byte[], byte[]> cluster, SilentNodeReconnector reconnector) {
    return new RenewableConnection(cluster, Optional.empty(), reconnector::suspect);
  }

  /** Opens a connection that this class replaces when necessary. */
  static RenewableConnection renewable(
      Supplier<? extends StatefulConnection<byte[], byte[]>> connect) {
    return new RenewableConnection(connect.get(), Optional.of(connect), unanswered -> {});
  }

  StatefulConnection<byte[], byte[]> connection() {
    return connection;
  }

  /**
   * Returns a number that grows each time the connection is made anew, by Lettuce or by this class.
   * It stays 0 for a fixed connection, which may outlive many wrappers.
   */
  int epoch() {
    return epoch.get();
  }

  /** Returns whether the connection was closed because it was silent, and has not been replaced. */
  boolean isDropped() {
    return dropped;
  }

  /** Reports that the server has answered; resets the count of failed attempts. */
  void answered() {
    if (failedAttempts.get() != 0) {
      failedAttempts.set(0);
    }
  }

  /** Reports that this connection is silent, closed, or leads to no master. Returns at once. */
  void suspect(StatefulConnection<byte[], byte[]> used, List<RedisRequest> unanswered) {
    nodes.accept(unanswered);
    connect.filter(it -> used == connection && mayStart()).ifPresent(source -> {
      inBackground(() -> attempt(used, source), () -> attempting.set(false));
    });
  }

  /**
   * Runs a task that takes long on a thread of its own; without a thread, the next timeout tries.
   */
  static void inBackground(Runnable task, Runnable withoutThread) {
    Thread thread = new Thread(task, "hapax-redis-reconnect");
    thread.setDaemon(true);
    try {
      thread.start();
    } catch (OutOfMemoryError e) {
      withoutThread.run();
    }
  }

  /**
   * Returns whether an attempt may start. Only one runs at a time, because a hanging server accepts
   * connections without completing the handshake.
   */
  private boolean mayStart() {
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
      LOG.debug("A new connection to Redis cannot be made", e);
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
      LOG.info("Replaced the connection to Redis: it was silent, or its server took no writes");
      used.close();
    } else {
      fresh.close();
    }
  }

  private synchronized void drop(StatefulConnection<byte[], byte[]> used) {
    if (!closed && !dropped && connection == used) {
      LOG.warn("Redis does not answer and a new connection cannot be made: closed the silent"
          + " connection; calls fail at once until a new connection is made");
      dropped = true;
      used.close();
    }
  }

  private synchronized boolean replaceBy(
      StatefulConnection<byte[], byte[]> fresh, StatefulConnection<byte[], byte[]> used) {
    if (closed || connection != used) {
      return false;
    }
    // The epoch grows before the exchange, so that a caller with a reply of the new server checks
    // that server. It grows again afterwards: a caller that checked in between, and still asked the
    // old server, checks again.
    epoch.incrementAndGet();
    connection = fresh;
    dropped = false;
    failedAttempts.set(0);
    epoch.incrementAndGet();
    countReconnects(fresh);
    return true;
  }

  @Override
  public synchronized void close() {
    closed = true;
    connection.close();
  }
}
