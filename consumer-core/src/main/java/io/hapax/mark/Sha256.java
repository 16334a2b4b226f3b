package io.hapax.mark;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256 with the state of each thread used again: there is one digest for each message. */
final class Sha256 {

  private static final ThreadLocal<MessageDigest> OF_THREAD =
      ThreadLocal.withInitial(Sha256::digest);

  private Sha256() {}

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform must provide SHA-256", e);
    }
  }

  /** A digest of nothing yet, for the caller's thread, until it asks for the next one. */
  static MessageDigest fresh() {
    MessageDigest digest = OF_THREAD.get();
    digest.reset();
    return digest;
  }
}
