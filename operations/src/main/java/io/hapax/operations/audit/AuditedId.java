package io.hapax.operations.audit;

import io.hapax.mark.Fingerprint;
import io.hapax.mark.MessageKey;

/**
 * What an audit remembers of an id, which takes about 100 bytes in a hash map. Two are equal if the
 * 128 bits of their keys are: the id itself is not kept. Keys are digests, so their bits need no
 * further hashing.
 */
final class AuditedId {

  private final long high;
  private final long low;

  /** The number of its messages. */
  int messages;

  /** Whether its mark was looked up. The fields below are valid then. */
  boolean known;

  Finding finding = Finding.UNKNOWN;
  boolean inDoubt;

  /** Whether a message with its payload was read. */
  boolean agreed;

  /** Whether another message with its payload has other headers. */
  boolean otherHeaders;

  private long payload;

  /** The digest of the headers of the first message with its payload. */
  long headers;

  AuditedId(MessageKey key) {
    this.high = key.high();
    this.low = key.low();
  }

  /** Sets the state of its mark, and the payload that its messages must have. */
  void resolve(Assessment assessment, Fingerprint withPayload) {
    known = true;
    finding = assessment.finding();
    inDoubt = assessment.inDoubt();
    payload = withPayload.value();
  }

  boolean conflictsWith(Fingerprint other) {
    return new Fingerprint(payload).conflictsWith(other);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof AuditedId id && id.high == high && id.low == low;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(low);
  }
}
