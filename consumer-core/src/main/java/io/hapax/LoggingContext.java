package io.hapax;

import io.hapax.internal.handler.UserCodeCalls.Code;
import io.hapax.internal.run.HandlerStep;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Puts message id and attempt into SLF4J's MDC while a handler runs for one message; a call for
 * several messages has no id. Restores the two keys after the call and no other entries.
 */
final class LoggingContext {

  static final String MESSAGE_ID = "hapax.messageId";
  static final String ATTEMPT = "hapax.attempt";

  /** The text of nearly all attempts. */
  private static final String FIRST_ATTEMPT = "1";

  private LoggingContext() {}

  static <M> HandlerStep.Handler<M> leased(HandlerStep.Handler<M> handler) {
    return new HandlerStep.Handler<>(
        deliveries -> aroundOne(deliveries, () -> handler.call().handle(deliveries)),
        handler.takesMany(),
        handler.commits());
  }

  static <M, T> TransactionalHandler<M, T> transactional(TransactionalHandler<M, T> handler) {
    return (transaction, deliveries) -> aroundOne(deliveries, () -> {
      handler.handle(transaction, deliveries);
      return true;
    });
  }

  private static <M, R> R aroundOne(List<Delivery<M>> deliveries, Code<R> call) throws Exception {
    return deliveries.size() == 1 ? around(deliveries.get(0), call) : call.run();
  }

  static <R> R around(Delivery<?> delivery, Code<R> call) throws Exception {
    String idBefore = MDC.get(MESSAGE_ID);
    String attemptBefore = MDC.get(ATTEMPT);
    MDC.put(MESSAGE_ID, delivery.messageId());
    MDC.put(ATTEMPT, text(delivery.attempt()));
    try {
      return call.run();
    } finally {
      restore(MESSAGE_ID, idBefore);
      restore(ATTEMPT, attemptBefore);
    }
  }

  private static String text(int attempt) {
    return attempt == 1 ? FIRST_ATTEMPT : Integer.toString(attempt);
  }

  private static void restore(String key, @Nullable String before) {
    if (before == null) {
      MDC.remove(key);
    } else {
      MDC.put(key, before);
    }
  }
}
