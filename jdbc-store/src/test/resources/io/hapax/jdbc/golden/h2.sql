SELECT max(w.expires_at_us) AS end_us FROM (
  SELECT m.expires_at_us FROM hapax_marks m WHERE m.expires_at_us > :after_us
  ORDER BY m.expires_at_us FETCH FIRST :entries ROWS ONLY) w;

SELECT m.* FROM hapax_marks m
WHERE m.expires_at_us > :after_us AND m.expires_at_us <= :end_us
  AND (m.expires_at_us > :last_us OR m.k > :last_k)
  AND CAST(m.scope AS VARCHAR_CASESENSITIVE) = :scope AND m.state = 1 AND m.until_us <= (DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00:00', CURRENT_TIMESTAMP) + CAST(:offset_us AS BIGINT))
ORDER BY m.expires_at_us, m.k FETCH FIRST :limit ROWS ONLY;

SELECT m.* FROM hapax_marks m
WHERE m.expires_at_us > :after_us AND m.expires_at_us <= :end_us
  AND (m.expires_at_us > :last_us OR m.k > :last_k)
  AND CAST(m.scope AS VARCHAR_CASESENSITIVE) = :scope AND m.state = 1 AND m.until_us > (DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00:00', CURRENT_TIMESTAMP) + CAST(:offset_us AS BIGINT))
ORDER BY m.expires_at_us, m.k FETCH FIRST :limit ROWS ONLY;

SELECT m.* FROM hapax_marks m
WHERE m.expires_at_us > :after_us AND m.expires_at_us <= :end_us
  AND (m.expires_at_us > :last_us OR m.k > :last_k)
  AND CAST(m.scope AS VARCHAR_CASESENSITIVE) = :scope AND m.state IN (1, 2) AND m.flags >= 4
ORDER BY m.expires_at_us, m.k FETCH FIRST :limit ROWS ONLY;

SELECT m.* FROM hapax_marks m
WHERE m.expires_at_us > :after_us AND m.expires_at_us <= :end_us
  AND (m.expires_at_us > :last_us OR m.k > :last_k)
  AND CAST(m.scope AS VARCHAR_CASESENSITIVE) = :scope AND m.state = 4
ORDER BY m.expires_at_us, m.k FETCH FIRST :limit ROWS ONLY;

SELECT m.expires_at_us FROM hapax_marks m WHERE m.k = :k AND m.claimed_at_us = :claimed_us;

SELECT max(w.expires_at_us) AS end_us FROM (
  SELECT m.expires_at_us FROM hapax_marks m
  WHERE m.expires_at_us > :after_us AND m.expires_at_us < (DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00:00', CURRENT_TIMESTAMP) + CAST(:offset_us AS BIGINT)) + 3600000000
  ORDER BY m.expires_at_us FETCH FIRST :entries ROWS ONLY) w;

SELECT count(*) FROM hapax_marks m WHERE m.expires_at_us > :after_us AND m.expires_at_us <= :end_us AND m.state = 3 AND NOT (m.until_us < (DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00:00', CURRENT_TIMESTAMP) + CAST(:offset_us AS BIGINT)) - 691200000000
  AND m.until_us < (DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00:00', CURRENT_TIMESTAMP) + CAST(:offset_us AS BIGINT)) - (m.expires_at_us - m.claimed_at_us - 3600000000));

SELECT m.k AS k FROM hapax_marks m WHERE m.expires_at_us > :after_us AND m.expires_at_us <= :end_us AND ((m.state = 3 AND m.until_us < (DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00:00', CURRENT_TIMESTAMP) + CAST(:offset_us AS BIGINT)) - 691200000000
  AND m.until_us < (DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00:00', CURRENT_TIMESTAMP) + CAST(:offset_us AS BIGINT)) - (m.expires_at_us - m.claimed_at_us - 3600000000))
  OR (m.state <> 3 AND m.until_us < (DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00:00', CURRENT_TIMESTAMP) + CAST(:offset_us AS BIGINT)) - 7776000000000)) ORDER BY m.expires_at_us FETCH FIRST :limit ROWS ONLY;

SELECT m.k AS k, m.state AS state FROM unnest(CAST(:k AS UUID ARRAY)) AS s(k) JOIN hapax_marks m ON m.k = s.k WHERE ((m.state = 3 AND m.until_us < (DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00:00', CURRENT_TIMESTAMP) + CAST(:offset_us AS BIGINT)) - 691200000000
  AND m.until_us < (DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00:00', CURRENT_TIMESTAMP) + CAST(:offset_us AS BIGINT)) - (m.expires_at_us - m.claimed_at_us - 3600000000))
  OR (m.state <> 3 AND m.until_us < (DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00:00', CURRENT_TIMESTAMP) + CAST(:offset_us AS BIGINT)) - 7776000000000)) FOR UPDATE SKIP LOCKED;

DELETE FROM hapax_marks m WHERE m.k IN (SELECT s.k FROM unnest(CAST(:k AS UUID ARRAY)) AS s(k));

SELECT (DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00:00', CURRENT_TIMESTAMP) + CAST(:offset_us AS BIGINT)) AS now_us, s.k AS asked, m.*
FROM unnest(CAST(:k AS UUID ARRAY)) AS s(k) LEFT JOIN hapax_marks m ON m.k = s.k;

SELECT (SELECT (DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00:00', CURRENT_TIMESTAMP) + CAST(:offset_us AS BIGINT))) AS now_us, m.k, m.nonce, m.fingerprint, m.until_us, m.detail
FROM unnest(CAST(:k AS UUID ARRAY)) AS s(k) JOIN hapax_marks m ON m.k = s.k
WHERE m.state = 3;

INSERT INTO hapax_marks (k, nonce, token, fingerprint, claimed_at_us, until_us, expires_at_us, attempt, state, flags, owner, coordinates, scope, message_id, detail, version)
  SELECT s.k, s.nonce, s.token, s.fingerprint, s.claimed_at_us, s.until_us, s.expires_at_us, s.attempt, s.state, s.flags, s.owner, s.coordinates, s.scope, s.message_id, s.detail, s.next_version FROM unnest(CAST(:k AS UUID ARRAY), CAST(:nonce AS UUID ARRAY), CAST(:token AS BIGINT ARRAY), CAST(:fingerprint AS BIGINT ARRAY), CAST(:claimed_at_us AS BIGINT ARRAY), CAST(:until_us AS BIGINT ARRAY), CAST(:expires_at_us AS BIGINT ARRAY), CAST(:attempt AS INTEGER ARRAY), CAST(:state AS INTEGER ARRAY), CAST(:flags AS INTEGER ARRAY), CAST(:owner AS VARCHAR ARRAY), CAST(:coordinates AS VARCHAR ARRAY), CAST(:scope AS VARCHAR ARRAY), CAST(:message_id AS VARBINARY ARRAY), CAST(:detail AS VARBINARY ARRAY), CAST(:was_version AS INTEGER ARRAY), CAST(:next_version AS INTEGER ARRAY), CAST(:was_token AS BIGINT ARRAY), CAST(:not_after_us AS BIGINT ARRAY)) AS s(k, nonce, token, fingerprint, claimed_at_us, until_us, expires_at_us, attempt, state, flags, owner, coordinates, scope, message_id, detail, was_version, next_version, was_token, not_after_us)
  WHERE (DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00:00', CURRENT_TIMESTAMP) + CAST(:offset_us AS BIGINT)) <= s.not_after_us
    AND NOT EXISTS (SELECT 1 FROM hapax_marks m WHERE m.k = s.k);

MERGE INTO hapax_marks m USING (SELECT * FROM unnest(CAST(:k AS UUID ARRAY), CAST(:nonce AS UUID ARRAY), CAST(:token AS BIGINT ARRAY), CAST(:fingerprint AS BIGINT ARRAY), CAST(:claimed_at_us AS BIGINT ARRAY), CAST(:until_us AS BIGINT ARRAY), CAST(:expires_at_us AS BIGINT ARRAY), CAST(:attempt AS INTEGER ARRAY), CAST(:state AS INTEGER ARRAY), CAST(:flags AS INTEGER ARRAY), CAST(:owner AS VARCHAR ARRAY), CAST(:coordinates AS VARCHAR ARRAY), CAST(:scope AS VARCHAR ARRAY), CAST(:message_id AS VARBINARY ARRAY), CAST(:detail AS VARBINARY ARRAY), CAST(:was_version AS INTEGER ARRAY), CAST(:next_version AS INTEGER ARRAY), CAST(:was_token AS BIGINT ARRAY), CAST(:not_after_us AS BIGINT ARRAY)) AS s(k, nonce, token, fingerprint, claimed_at_us, until_us, expires_at_us, attempt, state, flags, owner, coordinates, scope, message_id, detail, was_version, next_version, was_token, not_after_us)) s
  ON m.k = s.k AND m.version = s.was_version AND m.token = s.was_token AND (DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00:00', CURRENT_TIMESTAMP) + CAST(:offset_us AS BIGINT)) <= s.not_after_us
  WHEN MATCHED THEN UPDATE SET nonce = s.nonce, token = s.token, fingerprint = s.fingerprint, claimed_at_us = s.claimed_at_us, until_us = s.until_us, expires_at_us = CASE WHEN m.expires_at_us < s.claimed_at_us + 691200000000 THEN s.expires_at_us ELSE m.expires_at_us END, attempt = s.attempt, state = s.state, flags = s.flags, owner = s.owner, coordinates = s.coordinates, scope = s.scope, message_id = s.message_id, detail = s.detail, version = s.next_version;

MERGE INTO hapax_marks m USING (SELECT * FROM unnest(CAST(:k AS UUID ARRAY), CAST(:was_nonce AS UUID ARRAY), CAST(:was_token AS BIGINT ARRAY)) AS s(k, was_nonce, was_token)) s
  ON m.k = s.k AND m.state = 1 AND m.nonce = s.was_nonce AND m.token = s.was_token
  WHEN MATCHED THEN UPDATE SET until_us = (DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00:00', CURRENT_TIMESTAMP) + CAST(:offset_us AS BIGINT)) + CAST(:lease_us AS BIGINT),
    version = m.version + 1;

MERGE INTO hapax_marks m USING (SELECT * FROM unnest(CAST(:k AS UUID ARRAY), CAST(:was_nonce AS UUID ARRAY), CAST(:was_token AS BIGINT ARRAY), CAST(:was_attempt AS INTEGER ARRAY), CAST(:was_flags AS INTEGER ARRAY), CAST(:until_us AS BIGINT ARRAY), CAST(:attempt AS INTEGER ARRAY), CAST(:state AS INTEGER ARRAY), CAST(:flags AS INTEGER ARRAY), CAST(:detail AS VARBINARY ARRAY)) AS s(k, was_nonce, was_token, was_attempt, was_flags, until_us, attempt, state, flags, detail)) s
  ON m.k = s.k AND m.state = 1 AND m.nonce = s.was_nonce AND m.token = s.was_token AND m.attempt = s.was_attempt AND m.flags = s.was_flags
  WHEN MATCHED THEN UPDATE SET state = s.state, until_us = (DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00:00', CURRENT_TIMESTAMP) + CAST(:offset_us AS BIGINT)) + s.until_us, attempt = s.attempt,
  flags = s.flags, detail = s.detail, version = m.version + 1,
  owner = CASE WHEN s.state <> 3 THEN m.owner END,
  coordinates = CASE WHEN s.state <> 3 THEN m.coordinates END,
  scope = CASE WHEN s.state <> 3 THEN m.scope END,
  message_id = CASE WHEN s.state <> 3 THEN m.message_id END;

UPDATE hapax_marks SET detail = ?, version = version + 1
WHERE k = ? AND nonce = ? AND token = ? AND state = 3;
