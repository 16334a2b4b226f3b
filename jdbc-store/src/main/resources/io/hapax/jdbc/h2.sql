-- One row a mark. Times are microseconds since 1970 by the server's clock. State: 1 processing,
-- 2 retry, 3 done, 4 dead. Flags: 1 solo, 2 external, 4 in doubt. What people read (owner to
-- message_id) is null once a message is done, so that the row is small.
CREATE TABLE IF NOT EXISTS ${table} (
  k UUID PRIMARY KEY,
  nonce UUID NOT NULL,
  token BIGINT NOT NULL,
  fingerprint BIGINT NOT NULL,
  claimed_at_us BIGINT NOT NULL,
  until_us BIGINT NOT NULL,
  expires_at_us BIGINT NOT NULL,
  version INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  state SMALLINT NOT NULL,
  flags SMALLINT NOT NULL,
  owner CHARACTER VARYING,
  coordinates CHARACTER VARYING,
  scope CHARACTER VARYING,
  message_id BINARY VARYING,
  detail BINARY VARYING NOT NULL
);
CREATE INDEX IF NOT EXISTS ${index} ON ${table} (expires_at_us);
