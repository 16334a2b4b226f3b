package io.hapax.jdbc;

import io.hapax.mark.Attempt;
import io.hapax.mark.Bytes;
import io.hapax.mark.Claim;
import io.hapax.mark.EpochMicros;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MarkState;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads marks from rows. */
record MarkReader(Rows rows) {

  private static final Attempt NOT_READ = new Attempt(0, false, false, false);

  /** Reads the mark of a known key, because a DONE row does not keep scope and id. */
  StoredMark read(ResultSet row, MessageKey key) throws SQLException {
    UUID nonce = Objects.requireNonNull(rows.bits(row, "nonce"), "nonce");
    MarkState state = Column.state(row.getInt("state"));
    boolean open = Column.isOpen(state);
    Bytes detail = Bytes.of(row.getBytes("detail"));
    Attempt attempt = attempt(row);
    Claim claim = new Claim(
        key,
        new Nonce(nonce.getMostSignificantBits(), nonce.getLeastSignificantBits()),
        row.getLong("token"),
        open ? attempt.withDeferral(detail) : attempt,
        new Fingerprint(row.getLong("fingerprint")),
        new Origin(orEmpty(row.getString("owner")), orEmpty(row.getString("coordinates"))));
    Mark mark = new Mark(
        claim,
        state,
        EpochMicros.toInstant(row.getLong("claimed_at_us")),
        EpochMicros.toInstant(row.getLong("until_us")),
        open ? Bytes.EMPTY : detail);
    return new StoredMark(mark, row.getInt("version"));
  }

  /** Reads the fields of a DONE mark that an answer needs; the others have their initial values. */
  Mark readDone(ResultSet row, MessageKey key) throws SQLException {
    UUID nonce = Objects.requireNonNull(rows.bits(row, "nonce"), "nonce");
    Claim claim = new Claim(
        key,
        new Nonce(nonce.getMostSignificantBits(), nonce.getLeastSignificantBits()),
        0,
        NOT_READ,
        new Fingerprint(row.getLong("fingerprint")),
        Origin.NONE);
    return new Mark(
        claim,
        MarkState.DONE,
        Instant.EPOCH,
        EpochMicros.toInstant(row.getLong("until_us")),
        Bytes.of(row.getBytes("detail")));
  }

  private static Attempt attempt(ResultSet row) throws SQLException {
    int flags = row.getInt("flags");
    return new Attempt(
        row.getInt("attempt"),
        (flags & Column.SOLO) != 0,
        (flags & Column.EXTERNAL) != 0,
        (flags & Column.IN_DOUBT) != 0);
  }

  /** Reads a mark that is not DONE; its row has scope and id. */
  Mark readOpen(ResultSet row) throws SQLException {
    MessageKey key = MessageKey.of(row.getString("scope"), Bytes.of(row.getBytes("message_id")));
    return read(row, key).mark();
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
