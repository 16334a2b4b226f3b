SELECT max(w.expires_at_us) AS end_us FROM (
  SELECT m.expires_at_us FROM hapax_marks m WHERE m.expires_at_us > :after_us
  ORDER BY m.expires_at_us LIMIT :entries) w;

SELECT m.* FROM hapax_marks m
WHERE m.expires_at_us > :after_us AND m.expires_at_us <= :end_us
  AND (m.expires_at_us > :last_us OR m.k > :last_k)
  AND CAST(m.scope AS BINARY) = CAST(CONVERT(:scope USING utf8mb4) AS BINARY) AND m.state = 1 AND m.until_us <= (TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6)) + CAST(:offset_us AS SIGNED))
ORDER BY m.expires_at_us, m.k LIMIT :limit;

SELECT m.* FROM hapax_marks m
WHERE m.expires_at_us > :after_us AND m.expires_at_us <= :end_us
  AND (m.expires_at_us > :last_us OR m.k > :last_k)
  AND CAST(m.scope AS BINARY) = CAST(CONVERT(:scope USING utf8mb4) AS BINARY) AND m.state = 1 AND m.until_us > (TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6)) + CAST(:offset_us AS SIGNED))
ORDER BY m.expires_at_us, m.k LIMIT :limit;

SELECT m.* FROM hapax_marks m
WHERE m.expires_at_us > :after_us AND m.expires_at_us <= :end_us
  AND (m.expires_at_us > :last_us OR m.k > :last_k)
  AND CAST(m.scope AS BINARY) = CAST(CONVERT(:scope USING utf8mb4) AS BINARY) AND m.state IN (1, 2) AND m.flags >= 4
ORDER BY m.expires_at_us, m.k LIMIT :limit;

SELECT m.* FROM hapax_marks m
WHERE m.expires_at_us > :after_us AND m.expires_at_us <= :end_us
  AND (m.expires_at_us > :last_us OR m.k > :last_k)
  AND CAST(m.scope AS BINARY) = CAST(CONVERT(:scope USING utf8mb4) AS BINARY) AND m.state = 4
ORDER BY m.expires_at_us, m.k LIMIT :limit;

SELECT m.expires_at_us FROM hapax_marks m WHERE m.k = :k AND m.claimed_at_us = :claimed_us;

SELECT max(w.expires_at_us) AS end_us FROM (
  SELECT m.expires_at_us FROM hapax_marks m
  WHERE m.expires_at_us > :after_us AND m.expires_at_us < (TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6)) + CAST(:offset_us AS SIGNED)) + 3600000000
  ORDER BY m.expires_at_us LIMIT :entries) w;

SELECT count(*) FROM hapax_marks m WHERE m.expires_at_us > :after_us AND m.expires_at_us <= :end_us AND m.state = 3 AND NOT (m.until_us < (TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6)) + CAST(:offset_us AS SIGNED)) - 691200000000
  AND m.until_us < (TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6)) + CAST(:offset_us AS SIGNED)) - (m.expires_at_us - m.claimed_at_us - 3600000000));

SELECT m.k AS k FROM hapax_marks m WHERE m.expires_at_us > :after_us AND m.expires_at_us <= :end_us AND ((m.state = 3 AND m.until_us < (TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6)) + CAST(:offset_us AS SIGNED)) - 691200000000
  AND m.until_us < (TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6)) + CAST(:offset_us AS SIGNED)) - (m.expires_at_us - m.claimed_at_us - 3600000000))
  OR (m.state <> 3 AND m.until_us < (TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6)) + CAST(:offset_us AS SIGNED)) - 7776000000000)) ORDER BY m.expires_at_us LIMIT :limit;

SELECT m.k AS k, m.state AS state FROM (SELECT UNHEX(j.k) AS k FROM JSON_TABLE(:batch, '$[*]' COLUMNS (k VARCHAR(32) PATH '$[0]')) AS j) AS s STRAIGHT_JOIN hapax_marks AS m FORCE INDEX (PRIMARY) ON m.k = s.k  WHERE ((m.state = 3 AND m.until_us < (TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6)) + CAST(:offset_us AS SIGNED)) - 691200000000
  AND m.until_us < (TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6)) + CAST(:offset_us AS SIGNED)) - (m.expires_at_us - m.claimed_at_us - 3600000000))
  OR (m.state <> 3 AND m.until_us < (TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6)) + CAST(:offset_us AS SIGNED)) - 7776000000000)) FOR UPDATE SKIP LOCKED;

DELETE m FROM (SELECT UNHEX(j.k) AS k FROM JSON_TABLE(:batch, '$[*]' COLUMNS (k VARCHAR(32) PATH '$[0]')) AS j) AS s STRAIGHT_JOIN hapax_marks AS m FORCE INDEX (PRIMARY) ON m.k = s.k;

SELECT (TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6)) + CAST(:offset_us AS SIGNED)) AS now_us, s.k AS asked, m.*
FROM (SELECT UNHEX(j.k) AS k FROM JSON_TABLE(:batch, '$[*]' COLUMNS (k VARCHAR(32) PATH '$[0]')) AS j) AS s LEFT JOIN hapax_marks m ON m.k = s.k;

SELECT (SELECT (TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6)) + CAST(:offset_us AS SIGNED))) AS now_us, m.k, m.nonce, m.fingerprint, m.until_us, m.detail
FROM (SELECT UNHEX(j.k) AS k FROM JSON_TABLE(:batch, '$[*]' COLUMNS (k VARCHAR(32) PATH '$[0]')) AS j) AS s STRAIGHT_JOIN hapax_marks AS m FORCE INDEX (PRIMARY) ON m.k = s.k
WHERE m.state = 3 AND CAST(@@global.read_only AS CHAR) IN ('0', 'OFF');

INSERT IGNORE INTO hapax_marks (k, nonce, token, fingerprint, claimed_at_us, until_us, expires_at_us, attempt, state, flags, owner, coordinates, scope, message_id, detail, version)
SELECT s.k, s.nonce, s.token, s.fingerprint, s.claimed_at_us, s.until_us, s.expires_at_us, s.attempt, s.state, s.flags, s.owner, s.coordinates, s.scope, s.message_id, s.detail, s.next_version FROM (SELECT UNHEX(j.k) AS k, UNHEX(j.nonce) AS nonce, j.token AS token, j.fingerprint AS fingerprint, j.claimed_at_us AS claimed_at_us, j.until_us AS until_us, j.expires_at_us AS expires_at_us, j.attempt AS attempt, j.state AS state, j.flags AS flags, CONVERT(UNHEX(j.owner) USING utf8mb4) AS owner, CONVERT(UNHEX(j.coordinates) USING utf8mb4) AS coordinates, CONVERT(UNHEX(j.scope) USING utf8mb4) AS scope, UNHEX(j.message_id) AS message_id, UNHEX(j.detail) AS detail, j.was_version AS was_version, j.next_version AS next_version, j.was_token AS was_token, j.not_after_us AS not_after_us FROM JSON_TABLE(:batch, '$[*]' COLUMNS (k VARCHAR(32) PATH '$[0]', nonce VARCHAR(32) PATH '$[1]', token BIGINT PATH '$[2]', fingerprint BIGINT PATH '$[3]', claimed_at_us BIGINT PATH '$[4]', until_us BIGINT PATH '$[5]', expires_at_us BIGINT PATH '$[6]', attempt INT PATH '$[7]', state INT PATH '$[8]', flags INT PATH '$[9]', owner MEDIUMTEXT PATH '$[10]', coordinates MEDIUMTEXT PATH '$[11]', scope MEDIUMTEXT PATH '$[12]', message_id MEDIUMTEXT PATH '$[13]', detail MEDIUMTEXT PATH '$[14]', was_version INT PATH '$[15]', next_version INT PATH '$[16]', was_token BIGINT PATH '$[17]', not_after_us BIGINT PATH '$[18]')) AS j) AS s
WHERE (TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6)) + CAST(:offset_us AS SIGNED)) <= s.not_after_us;

UPDATE (SELECT UNHEX(j.k) AS k, UNHEX(j.nonce) AS nonce, j.token AS token, j.fingerprint AS fingerprint, j.claimed_at_us AS claimed_at_us, j.until_us AS until_us, j.expires_at_us AS expires_at_us, j.attempt AS attempt, j.state AS state, j.flags AS flags, CONVERT(UNHEX(j.owner) USING utf8mb4) AS owner, CONVERT(UNHEX(j.coordinates) USING utf8mb4) AS coordinates, CONVERT(UNHEX(j.scope) USING utf8mb4) AS scope, UNHEX(j.message_id) AS message_id, UNHEX(j.detail) AS detail, j.was_version AS was_version, j.next_version AS next_version, j.was_token AS was_token, j.not_after_us AS not_after_us FROM JSON_TABLE(:batch, '$[*]' COLUMNS (k VARCHAR(32) PATH '$[0]', nonce VARCHAR(32) PATH '$[1]', token BIGINT PATH '$[2]', fingerprint BIGINT PATH '$[3]', claimed_at_us BIGINT PATH '$[4]', until_us BIGINT PATH '$[5]', expires_at_us BIGINT PATH '$[6]', attempt INT PATH '$[7]', state INT PATH '$[8]', flags INT PATH '$[9]', owner MEDIUMTEXT PATH '$[10]', coordinates MEDIUMTEXT PATH '$[11]', scope MEDIUMTEXT PATH '$[12]', message_id MEDIUMTEXT PATH '$[13]', detail MEDIUMTEXT PATH '$[14]', was_version INT PATH '$[15]', next_version INT PATH '$[16]', was_token BIGINT PATH '$[17]', not_after_us BIGINT PATH '$[18]')) AS j) AS s STRAIGHT_JOIN hapax_marks AS m FORCE INDEX (PRIMARY) ON m.k = s.k SET m.nonce = s.nonce, m.token = s.token, m.fingerprint = s.fingerprint, m.claimed_at_us = s.claimed_at_us, m.until_us = s.until_us, m.expires_at_us = CASE WHEN m.expires_at_us < s.claimed_at_us + 691200000000 THEN s.expires_at_us ELSE m.expires_at_us END, m.attempt = s.attempt, m.state = s.state, m.flags = s.flags, m.owner = s.owner, m.coordinates = s.coordinates, m.scope = s.scope, m.message_id = s.message_id, m.detail = s.detail, m.version = s.next_version
WHERE m.version = s.was_version AND m.token = s.was_token AND (TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6)) + CAST(:offset_us AS SIGNED)) <= s.not_after_us;

UPDATE (SELECT UNHEX(j.k) AS k, UNHEX(j.was_nonce) AS was_nonce, j.was_token AS was_token FROM JSON_TABLE(:batch, '$[*]' COLUMNS (k VARCHAR(32) PATH '$[0]', was_nonce VARCHAR(32) PATH '$[1]', was_token BIGINT PATH '$[2]')) AS j) AS s STRAIGHT_JOIN hapax_marks AS m FORCE INDEX (PRIMARY) ON m.k = s.k SET m.until_us = (TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6)) + CAST(:offset_us AS SIGNED)) + :lease_us, m.version = m.version + 1
WHERE m.state = 1 AND m.nonce = s.was_nonce AND m.token = s.was_token;

UPDATE (SELECT UNHEX(j.k) AS k, UNHEX(j.was_nonce) AS was_nonce, j.was_token AS was_token, j.was_attempt AS was_attempt, j.was_flags AS was_flags, j.until_us AS until_us, j.attempt AS attempt, j.state AS state, j.flags AS flags, UNHEX(j.detail) AS detail FROM JSON_TABLE(:batch, '$[*]' COLUMNS (k VARCHAR(32) PATH '$[0]', was_nonce VARCHAR(32) PATH '$[1]', was_token BIGINT PATH '$[2]', was_attempt INT PATH '$[3]', was_flags INT PATH '$[4]', until_us BIGINT PATH '$[5]', attempt INT PATH '$[6]', state INT PATH '$[7]', flags INT PATH '$[8]', detail MEDIUMTEXT PATH '$[9]')) AS j) AS s STRAIGHT_JOIN hapax_marks AS m FORCE INDEX (PRIMARY) ON m.k = s.k SET m.state = s.state, m.until_us = (TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(6)) + CAST(:offset_us AS SIGNED)) + s.until_us, m.attempt = s.attempt,
  m.flags = s.flags, m.detail = s.detail, m.version = m.version + 1,
  m.owner = CASE WHEN s.state <> 3 THEN m.owner END,
  m.coordinates = CASE WHEN s.state <> 3 THEN m.coordinates END,
  m.scope = CASE WHEN s.state <> 3 THEN m.scope END,
  m.message_id = CASE WHEN s.state <> 3 THEN m.message_id END
WHERE m.state = 1 AND m.nonce = s.was_nonce AND m.token = s.was_token AND m.attempt = s.was_attempt AND m.flags = s.was_flags;

UPDATE hapax_marks SET detail = ?, version = version + 1
WHERE k = ? AND nonce = ? AND token = ? AND state = 3;
