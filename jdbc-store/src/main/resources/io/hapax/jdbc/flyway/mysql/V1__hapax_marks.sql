-- MySQL 8 and MariaDB. One row a mark. Times are microseconds since 1970 by the server's clock.
-- State: 1 processing, 2 retry, 3 done, 4 dead. Flags: 1 solo, 2 external, 4 in doubt. What people
-- read (owner to message_id) is null once a message is done, so that the row is small.
-- The key is a hash of fixed length: no collation and no truncation makes two ids one.
CREATE TABLE IF NOT EXISTS hapax_marks (
  k BINARY(16) NOT NULL PRIMARY KEY,
  nonce BINARY(16) NOT NULL,
  token BIGINT NOT NULL,
  fingerprint BIGINT NOT NULL,
  claimed_at_us BIGINT NOT NULL,
  until_us BIGINT NOT NULL,
  expires_at_us BIGINT NOT NULL,
  version INT NOT NULL,
  attempt INT NOT NULL,
  state SMALLINT NOT NULL,
  flags SMALLINT NOT NULL,
  owner MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
  coordinates MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
  scope VARCHAR(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
  message_id MEDIUMBLOB,
  detail MEDIUMBLOB NOT NULL,
  KEY hapax_marks_expires_at_us (expires_at_us)
) ENGINE = InnoDB;
