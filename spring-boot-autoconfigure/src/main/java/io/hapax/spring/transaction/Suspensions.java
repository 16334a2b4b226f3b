package io.hapax.spring.transaction;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns, once for each place in the application, of writes outside of the marks' transaction. */
final class Suspensions {

  private static final Logger LOG = LoggerFactory.getLogger(SpringTransactionFrame.class);
  private static final String PROXY = "$$";

  private final Set<String> warned = ConcurrentHashMap.newKeySet();

  void found() {
    String place = StackWalker.getInstance()
        .walk(frames -> frames
            .dropWhile(frame -> isOwn(frame.getClassName()))
            .filter(frame -> !isFramework(frame.getClassName()))
            .findFirst()
            .map(frame -> withoutProxy(frame.getClassName()) + "." + frame.getMethodName())
            .orElse("an unknown place"));
    if (warned.add(place)) {
      LOG.warn(
          "{} suspends the transaction of the marks (propagation REQUIRES_NEW or NOT_SUPPORTED):"
              + " what it writes remains if the listener fails, and is written again by the next"
              + " attempt. Use REQUIRED to write once with the mark",
          place);
    }
  }

  private static boolean isFramework(String type) {
    return type.startsWith("org.springframework.")
        || type.startsWith("java.")
        || type.startsWith("jdk.internal.");
  }

  private static boolean isOwn(String type) {
    return type.equals(Suspensions.class.getName())
        || type.equals(FramedTransaction.class.getName());
  }

  private static String withoutProxy(String type) {
    int suffix = type.indexOf(PROXY);
    return suffix < 0 ? type : type.substring(0, suffix);
  }
}
