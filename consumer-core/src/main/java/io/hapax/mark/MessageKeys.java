package io.hapax.mark;

import java.nio.ByteBuffer;

/** Makes the keys of one scope, which is checked and encoded once. */
public final class MessageKeys {

  private final String scope;
  private final byte[] prefix;

  /**
   * Makes keys in a scope.
   *
   * @param scope the scope, not blank, without control characters, at most
   *     {@value MessageKey#MAX_SCOPE_BYTES} bytes
   * @throws IllegalArgumentException if it breaks its rule
   */
  public MessageKeys(String scope) {
    byte[] bytes = Bytes.utf8(scope).unsafeArray();
    if (scope.isBlank() || bytes.length > MessageKey.MAX_SCOPE_BYTES) {
      throw new IllegalArgumentException("scope is '" + scope + "' but must be 1 to "
          + MessageKey.MAX_SCOPE_BYTES + " UTF-8 bytes and not blank");
    }
    if (scope.chars().anyMatch(Character::isISOControl)) { // some text columns refuse them
      throw new IllegalArgumentException("scope is '"
          + scope.replaceAll("\\p{Cntrl}", "?")
          + "', with control characters in place of the question marks, but must have none");
    }
    this.scope = scope;
    this.prefix = ByteBuffer.allocate(Integer.BYTES + bytes.length)
        .putInt(bytes.length)
        .put(bytes)
        .array();
  }

  /**
   * {@return the key of an id}
   *
   * @param id the id, 1 to {@value MessageKey#MAX_ID_BYTES} bytes
   * @throws IllegalArgumentException if it breaks its rule
   */
  public MessageKey of(Bytes id) {
    int length = id.length();
    if (length == 0 || length > MessageKey.MAX_ID_BYTES) {
      throw new IllegalArgumentException(
          "message id has " + length + " bytes but must have 1 to " + MessageKey.MAX_ID_BYTES);
    }
    Sha256 digest = Sha256.fresh();
    digest.update(prefix);
    for (int shift = 24; shift >= 0; shift -= 8) { // its length, as in the prefix
      digest.update((byte) (length >>> shift));
    }
    digest.update(id.unsafeArray());
    return new MessageKey(scope, id, digest.result());
  }
}
