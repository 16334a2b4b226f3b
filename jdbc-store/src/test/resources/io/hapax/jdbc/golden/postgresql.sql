SELECT max(w.expires_at_us) AS end_us FROM (
  SELECT m.expires_at_us FROM hapax_marks m WHERE m.expires_at_us > :after_us
  ORDER BY m.expires_at_us LIMIT :entries) w;

SELECT m.* FROM hapax_marks m
WHERE m.expires_at_us > :after_us AND m.expires_at_us <= :end_us
  AND (m.expires_at_us > :last_us OR m.k > :last_k)
  AND m.scope = :scope AND m.state = 1 AND m.until_us <= (CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint) + CAST(:offset_us AS bigint))
ORDER BY m.expires_at_us, m.k LIMIT :limit;

SELECT m.* FROM hapax_marks m
WHERE m.expires_at_us > :after_us AND m.expires_at_us <= :end_us
  AND (m.expires_at_us > :last_us OR m.k > :last_k)
  AND m.scope = :scope AND m.state = 1 AND m.until_us > (CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint) + CAST(:offset_us AS bigint))
ORDER BY m.expires_at_us, m.k LIMIT :limit;

SELECT m.* FROM hapax_marks m
WHERE m.expires_at_us > :after_us AND m.expires_at_us <= :end_us
  AND (m.expires_at_us > :last_us OR m.k > :last_k)
  AND m.scope = :scope AND m.state IN (1, 2) AND m.flags >= 4
ORDER BY m.expires_at_us, m.k LIMIT :limit;

SELECT m.* FROM hapax_marks m
WHERE m.expires_at_us > :after_us AND m.expires_at_us <= :end_us
  AND (m.expires_at_us > :last_us OR m.k > :last_k)
  AND m.scope = :scope AND m.state = 4
ORDER BY m.expires_at_us, m.k LIMIT :limit;

SELECT m.expires_at_us FROM hapax_marks m WHERE m.k = :k AND m.claimed_at_us = :claimed_us;

DELETE FROM hapax_marks WHERE k = ANY (ARRAY(
  SELECT m.k FROM hapax_marks m
  WHERE m.expires_at_us > :after_us AND m.expires_at_us <= :end_us AND ((m.state = 3 AND m.until_us < (CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint) + CAST(:offset_us AS bigint)) - 691200000000
  AND m.until_us < (CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint) + CAST(:offset_us AS bigint)) - (m.expires_at_us - m.claimed_at_us - 3600000000))
  OR (m.state <> 3 AND m.until_us < (CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint) + CAST(:offset_us AS bigint)) - 7776000000000))
  ORDER BY m.expires_at_us LIMIT :limit
  FOR UPDATE SKIP LOCKED))
RETURNING state;

SELECT max(w.expires_at_us) AS end_us FROM (
  SELECT m.expires_at_us FROM hapax_marks m
  WHERE m.expires_at_us > :after_us AND m.expires_at_us < (CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint) + CAST(:offset_us AS bigint)) + 3600000000
  ORDER BY m.expires_at_us LIMIT :entries) w;

SELECT count(*) FROM hapax_marks m WHERE m.expires_at_us > :after_us AND m.expires_at_us <= :end_us AND m.state = 3 AND NOT (m.until_us < (CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint) + CAST(:offset_us AS bigint)) - 691200000000
  AND m.until_us < (CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint) + CAST(:offset_us AS bigint)) - (m.expires_at_us - m.claimed_at_us - 3600000000));

SELECT m.k AS k FROM hapax_marks m WHERE m.expires_at_us > :after_us AND m.expires_at_us <= :end_us AND ((m.state = 3 AND m.until_us < (CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint) + CAST(:offset_us AS bigint)) - 691200000000
  AND m.until_us < (CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint) + CAST(:offset_us AS bigint)) - (m.expires_at_us - m.claimed_at_us - 3600000000))
  OR (m.state <> 3 AND m.until_us < (CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint) + CAST(:offset_us AS bigint)) - 7776000000000)) ORDER BY m.expires_at_us LIMIT :limit;

SELECT m.k AS k, m.state AS state FROM unnest(CAST(:k AS uuid[])) AS s(k) JOIN hapax_marks m ON m.k = s.k WHERE ((m.state = 3 AND m.until_us < (CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint) + CAST(:offset_us AS bigint)) - 691200000000
  AND m.until_us < (CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint) + CAST(:offset_us AS bigint)) - (m.expires_at_us - m.claimed_at_us - 3600000000))
  OR (m.state <> 3 AND m.until_us < (CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint) + CAST(:offset_us AS bigint)) - 7776000000000)) FOR UPDATE SKIP LOCKED;

DELETE FROM hapax_marks m WHERE m.k IN (SELECT s.k FROM unnest(CAST(:k AS uuid[])) AS s(k));

SELECT (CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint) + CAST(:offset_us AS bigint)) AS now_us, s.k AS asked, m.*
FROM unnest(CAST(:k AS uuid[])) AS s(k) LEFT JOIN hapax_marks m ON m.k = s.k;

SELECT (SELECT (CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint) + CAST(:offset_us AS bigint))) AS now_us, m.k, m.nonce, m.fingerprint, m.until_us, m.detail
FROM hapax_marks m
WHERE m.k = ANY (CAST(:k AS uuid[])) AND m.state = 3 AND (SELECT NOT pg_is_in_recovery());

WITH server AS MATERIALIZED (
  SELECT (CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint) + CAST(:offset_us AS bigint)) AS now_us, set_config('lock_timeout', :lock_wait, true) AS lock_wait)
, asked AS MATERIALIZED (SELECT * FROM unnest(CAST(:k AS uuid[]), CAST(:nonce AS uuid[]), CAST(:token AS int8[]), CAST(:fingerprint AS int8[]), CAST(:claimed_at_us AS int8[]), CAST(:until_us AS int8[]), CAST(:expires_at_us AS int8[]), CAST(:attempt AS int4[]), CAST(:state AS int4[]), CAST(:flags AS int4[]), CAST(:owner AS text[]), CAST(:coordinates AS text[]), CAST(:scope AS text[]), CAST(:message_id AS bytea[]), CAST(:detail AS bytea[]), CAST(:was_version AS int4[]), CAST(:next_version AS int4[]), CAST(:was_token AS int8[]), CAST(:not_after_us AS int8[])) AS s(k, nonce, token, fingerprint, claimed_at_us, until_us, expires_at_us, attempt, state, flags, owner, coordinates, scope, message_id, detail, was_version, next_version, was_token, not_after_us)),
inserted AS (
  INSERT INTO hapax_marks AS m (k, nonce, token, fingerprint, claimed_at_us, until_us,
    expires_at_us, attempt, state, flags, owner, coordinates, scope, message_id, detail,
    version)
  SELECT s.k, s.nonce, greatest(1, server.now_us), s.fingerprint,
    server.now_us + s.claimed_at_us, server.now_us + s.until_us,
    server.now_us + s.expires_at_us, s.attempt, s.state, s.flags, s.owner, s.coordinates,
    s.scope, s.message_id, s.detail, s.next_version
  FROM asked s CROSS JOIN server
  WHERE server.now_us <= s.not_after_us
  ORDER BY s.k
  ON CONFLICT (k) DO NOTHING
  RETURNING m.k)
SELECT server.now_us, s.k AS asked, s.k IN (SELECT i.k FROM inserted i) AS inserted, m.*
FROM asked s CROSS JOIN server LEFT JOIN hapax_marks m ON m.k = s.k;

WITH server AS MATERIALIZED (
  SELECT (CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint) + CAST(:offset_us AS bigint)) AS now_us, set_config('lock_timeout', :lock_wait, true) AS lock_wait)
INSERT INTO hapax_marks AS m (k, nonce, token, fingerprint, claimed_at_us, until_us, expires_at_us, attempt, state, flags, owner, coordinates, scope, message_id, detail, version)
SELECT s.k, s.nonce, s.token, s.fingerprint, s.claimed_at_us, s.until_us, s.expires_at_us, s.attempt, s.state, s.flags, s.owner, s.coordinates, s.scope, s.message_id, s.detail, s.next_version
FROM unnest(CAST(:k AS uuid[]), CAST(:nonce AS uuid[]), CAST(:token AS int8[]), CAST(:fingerprint AS int8[]), CAST(:claimed_at_us AS int8[]), CAST(:until_us AS int8[]), CAST(:expires_at_us AS int8[]), CAST(:attempt AS int4[]), CAST(:state AS int4[]), CAST(:flags AS int4[]), CAST(:owner AS text[]), CAST(:coordinates AS text[]), CAST(:scope AS text[]), CAST(:message_id AS bytea[]), CAST(:detail AS bytea[]), CAST(:was_version AS int4[]), CAST(:next_version AS int4[]), CAST(:was_token AS int8[]), CAST(:not_after_us AS int8[])) AS s(k, nonce, token, fingerprint, claimed_at_us, until_us, expires_at_us, attempt, state, flags, owner, coordinates, scope, message_id, detail, was_version, next_version, was_token, not_after_us) CROSS JOIN server
WHERE server.now_us <= s.not_after_us
ORDER BY s.k
ON CONFLICT (k) DO NOTHING
RETURNING m.k AS k;

WITH server AS MATERIALIZED (
  SELECT (CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint) + CAST(:offset_us AS bigint)) AS now_us, set_config('lock_timeout', :lock_wait, true) AS lock_wait)
, held AS MATERIALIZED (
  SELECT s.* FROM unnest(CAST(:k AS uuid[]), CAST(:nonce AS uuid[]), CAST(:token AS int8[]), CAST(:fingerprint AS int8[]), CAST(:claimed_at_us AS int8[]), CAST(:until_us AS int8[]), CAST(:expires_at_us AS int8[]), CAST(:attempt AS int4[]), CAST(:state AS int4[]), CAST(:flags AS int4[]), CAST(:owner AS text[]), CAST(:coordinates AS text[]), CAST(:scope AS text[]), CAST(:message_id AS bytea[]), CAST(:detail AS bytea[]), CAST(:was_version AS int4[]), CAST(:next_version AS int4[]), CAST(:was_token AS int8[]), CAST(:not_after_us AS int8[])) AS s(k, nonce, token, fingerprint, claimed_at_us, until_us, expires_at_us, attempt, state, flags, owner, coordinates, scope, message_id, detail, was_version, next_version, was_token, not_after_us) CROSS JOIN server JOIN hapax_marks m ON m.k = s.k
  WHERE m.version = s.was_version AND m.token = s.was_token AND server.now_us <= s.not_after_us
  ORDER BY m.k FOR UPDATE OF m)
UPDATE hapax_marks AS m
SET (nonce, token, fingerprint, claimed_at_us, until_us, expires_at_us, attempt, state, flags, owner, coordinates, scope, message_id, detail, version) = (s.nonce, s.token, s.fingerprint, s.claimed_at_us, s.until_us, CASE WHEN m.expires_at_us < s.claimed_at_us + 691200000000 THEN s.expires_at_us ELSE m.expires_at_us END, s.attempt, s.state, s.flags, s.owner, s.coordinates, s.scope, s.message_id, s.detail, s.next_version)
FROM held s
WHERE m.k = s.k
RETURNING m.k AS k;

WITH server AS MATERIALIZED (
  SELECT (CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint) + CAST(:offset_us AS bigint)) AS now_us, set_config('lock_timeout', :lock_wait, true) AS lock_wait)
, held AS MATERIALIZED (
  SELECT m.k FROM unnest(CAST(:k AS uuid[]), CAST(:was_nonce AS uuid[]), CAST(:was_token AS int8[])) AS s(k, was_nonce, was_token) JOIN hapax_marks m ON m.k = s.k
  WHERE (m.state = 1 OR s.was_token < 0) AND m.nonce = s.was_nonce AND m.token = s.was_token
  ORDER BY m.k FOR UPDATE OF m SKIP LOCKED)
UPDATE hapax_marks AS m
SET until_us = server.now_us + :lease_us, version = m.version + 1
FROM held CROSS JOIN server
WHERE m.k = held.k
RETURNING m.k AS k, m.until_us AS until_us;

WITH server AS MATERIALIZED (
  SELECT (CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint) + CAST(:offset_us AS bigint)) AS now_us, set_config('lock_timeout', :lock_wait, true) AS lock_wait)
, held AS MATERIALIZED (
  SELECT s.* FROM unnest(CAST(:k AS uuid[]), CAST(:was_nonce AS uuid[]), CAST(:was_token AS int8[]), CAST(:was_attempt AS int4[]), CAST(:was_flags AS int4[]), CAST(:until_us AS int8[]), CAST(:attempt AS int4[]), CAST(:state AS int4[]), CAST(:flags AS int4[]), CAST(:detail AS bytea[])) AS s(k, was_nonce, was_token, was_attempt, was_flags, until_us, attempt, state, flags, detail) JOIN hapax_marks m ON m.k = s.k
  WHERE (m.state = 1 OR s.was_token < 0) AND m.nonce = s.was_nonce AND m.token = s.was_token AND m.attempt = s.was_attempt AND m.flags = s.was_flags
  ORDER BY m.k FOR UPDATE OF m SKIP LOCKED)
UPDATE hapax_marks AS m
SET state = s.state, until_us = server.now_us + s.until_us, attempt = s.attempt,
  flags = s.flags, detail = s.detail, version = m.version + 1,
  owner = CASE WHEN s.state <> 3 THEN m.owner END,
  coordinates = CASE WHEN s.state <> 3 THEN m.coordinates END,
  scope = CASE WHEN s.state <> 3 THEN m.scope END,
  message_id = CASE WHEN s.state <> 3 THEN m.message_id END
FROM held s CROSS JOIN server
WHERE m.k = s.k
RETURNING m.k AS k;

UPDATE hapax_marks SET detail = ?, version = version + 1
WHERE k = ? AND nonce = ? AND token = ? AND state = 3;
