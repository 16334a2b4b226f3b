package io.hapax.rocketmq.grpc;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.rocketmq.client.apis.message.MessageView;
import org.apache.rocketmq.client.java.exception.BadRequestException;
import org.jspecify.annotations.Nullable;

/**
 * Sends the requests about one delivery to the proxy, one after the other. Each renewal gives the
 * message a new handle and makes the previous one void, so an acknowledgement waits for the renewal
 * before it.
 */
final class HeldMessage {

  private final MessageView message;
  private final String lane;
  private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);
  private long renewedNanos;
  private boolean leaving;
  private boolean lost;

  HeldMessage(MessageView message, String lane, long nowNanos) {
    this.message = message;
    this.lane = lane;
    this.renewedNanos = nowNanos;
  }

  MessageView message() {
    return message;
  }

  String lane() {
    return lane;
  }

  /** Returns whether the proxy has refused a renewal: it may deliver the message to others. */
  synchronized boolean isLost() {
    return lost;
  }

  /**
   * Renews if that is due; a renewal that fails is due again at once.
   *
   * @return completes with the renewal; already completed if there was none
   */
  synchronized CompletableFuture<Void> renew(
      long nowNanos, long everyNanos, Supplier<CompletableFuture<Void>> renewal) {
    if (leaving || lost || !last.isDone() || nowNanos - renewedNanos < everyNanos) {
      return CompletableFuture.completedFuture(null);
    }
    String handle = ClientMessages.handle(message);
    last = renewal.get().whenComplete((done, error) -> renewed(nowNanos, handle, error));
    return last;
  }

  private synchronized void renewed(long nowNanos, String handle, @Nullable Throwable error) {
    if (error == null) {
      renewedNanos = nowNanos;
      return;
    }
    lost = isRefusal(error);
    ClientMessages.restore(message, handle);
  }

  /** Returns whether the proxy refused the request, and did not only answer too late. */
  static boolean isRefusal(Throwable error) {
    return error instanceof BadRequestException || error.getCause() instanceof BadRequestException;
  }

  /** Sends the last request, after those in flight. No renewal follows. */
  synchronized CompletableFuture<Void> leave(Supplier<CompletableFuture<Void>> word) {
    leaving = true;
    last = last.exceptionally(failed -> null).thenCompose(done -> word.get());
    return last;
  }
}
