/**
 * The dedup store in Redis, 6.2 or newer: one server, a master behind Sentinels, or a cluster. Its
 * tests run on Redis 6.2 and 7.0; Valkey was not run.
 *
 * <p><b>How a mark is kept.</b> What is being worked at are fields of a hash for each shard and
 * scope; what waits or is dead, of another. Marks in doubt and dead ones are indexed; stale ones
 * are looked for among those that are being worked at. The lease is a part of the mark that scripts
 * compare with the server's clock, never the life of a key: after the end of a lease the server
 * still knows owner, attempt and token.
 *
 * <p><b>How a DONE mark is kept.</b> By default it is a string under sixteen bytes of its store
 * key, about 145 bytes of memory in all, whose life is the retention. With
 * {@link io.hapax.redis.RedisDedupStore.Builder#compact} it is a field of a bucket, about 46 bytes,
 * if there are as many marks as were expected; a result is a string beside it. What is past its
 * retention is absent at once and dropped when others come, or with the bucket. Either way no more
 * is kept than what is compared later, and of the nonce the last bits only.
 *
 * <p><b>How a verb runs.</b> Each verb is one script over up to 128 marks. On one server the
 * scripts of a call are written in one flush; on a cluster each is a write of its own, and none
 * waits for another. Whatever a script does is done as a whole or not at all.
 *
 * <p><b>In a cluster</b> the marks are spread over hash tags; what a node keeps that is down, or
 * whose slot is being moved, is answered {@code Unavailable} for as long as that lasts, and the
 * rest goes on.
 *
 * <p><b>What a mark in Redis is worth.</b> Redis acknowledges a write before its disk or its
 * replicas have it. A crash of the machine or a failover may therefore take the latest marks along,
 * and a wrong setting (eviction, no persistence) any mark. A lost mark may cost one more run of its
 * message, never the message: whoever still owns it writes it anew, and everybody else claims it
 * afresh. The new token is greater unless the server's clock went back too, as that of a promoted
 * replica may. What an operator reopened may be dead again: it has to be reopened again, or its
 * message, delivered meanwhile, is not run. At start the store reads the settings that matter and
 * warns, and claims notice a server that has lost its data
 * ({@link io.hapax.store.StoreListener#onDataLost}).
 *
 * <p><b>Rights.</b> A user of the store's own needs <code>~hapax:* ~hapax&#123;* +eval +evalsha
 * +time +get +set +mget +del +hmget +hget +hlen +hscan +hset +hdel +pexpire +zadd +zrem
 * +zrangebylex +info +config|get</code>, with its own namespace in the place of {@code hapax}; to
 * wait for replicas also <code>+wait
 * +client|setname +client|getname</code>, on a cluster also <code>+cluster|nodes +asking</code>.
 * What is missing is named when the store is built.
 */
@NullMarked
package io.hapax.redis;

import org.jspecify.annotations.NullMarked;
