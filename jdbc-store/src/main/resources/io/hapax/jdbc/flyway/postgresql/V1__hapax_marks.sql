-- One row a mark. Times are microseconds since 1970 by the server's clock. State: 1 processing,
-- 2 retry, 3 done, 4 dead. Flags: 1 solo, 2 external, 4 in doubt. What people read (owner to
-- message_id) is null once a message is done, so that the row is small.
-- No index holds a column that a settle changes, and half of a page is kept free for the rows of a
-- batch that is settled at once: an update then stays on its page and touches no index (ADR 0003).
CREATE TABLE IF NOT EXISTS hapax_marks (
  k uuid PRIMARY KEY,
  nonce uuid NOT NULL,
  token bigint NOT NULL,
  fingerprint bigint NOT NULL,
  claimed_at_us bigint NOT NULL,
  until_us bigint NOT NULL,
  expires_at_us bigint NOT NULL,
  version integer NOT NULL,
  attempt integer NOT NULL,
  state smallint NOT NULL,
  flags smallint NOT NULL,
  owner text,
  coordinates text,
  scope text,
  message_id bytea,
  detail bytea NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX IF NOT EXISTS hapax_marks_expires_at_us ON hapax_marks (expires_at_us);
