/**
 * The dedup store in Redis 6.2 or newer: one server, a master behind Sentinels, or a cluster. Its
 * tests run on Redis 6.2 and 7.0; they were not run on Valkey.
 *
 * <p><b>How a mark is stored.</b> Marks that are PROCESSING are fields of a hash for each shard and
 * scope. Waiting and dead marks are fields of a second hash. Marks in doubt and dead marks have an
 * index; for stale marks, a script scans the PROCESSING marks. The lease is part of the mark.
 * Scripts compare it with the server's clock, and it is never the expiry of a key. So after the end
 * of a lease the server still knows owner, attempt and token.
 *
 * <p><b>How a DONE mark is stored.</b> By default it is a string under 16 bytes of its store key,
 * which takes about 145 bytes of memory and expires after the retention. With
 * {@link io.hapax.redis.RedisDedupStoreBuilder#compact} it is a field of a bucket and takes about
 * 46 bytes, if there are no more marks than expected. A result is then a separate string. An
 * expired mark is absent at once; a later write to its bucket removes it, or it expires with the
 * bucket. In both layouts a DONE mark keeps only what is compared later, and only the last bits of
 * the nonce.
 *
 * <p><b>How a verb runs.</b> Each verb is one script over up to 128 marks. One server gets all
 * scripts of a call in one flush. In a cluster each script is a separate write, and no script waits
 * for another. A script is atomic: it has all its effects or none.
 *
 * <p><b>In a cluster</b> the marks are spread over hash tags. Marks of a node that is down, or of a
 * slot that is moving, are answered {@code Unavailable} meanwhile; other marks are not affected.
 *
 * <p><b>Which failures lose marks.</b> Redis acknowledges a write before its disk or its replicas
 * have it. So a crash of the machine or a failover can lose the latest marks, and a wrong setting
 * (eviction, no persistence) can lose any mark. A lost mark may cost one more run of its message,
 * but never the message: its owner writes it again, and every other consumer claims it as fresh.
 * The new token is greater than the old one, unless the clock also went back, as that of a promoted
 * replica may. A message that an operator reopened may be dead again. It must be reopened again; if
 * it was redelivered meanwhile, it does not run. At start, the store checks the relevant settings
 * and warns. A claim detects a server that has lost its data
 * ({@link io.hapax.store.StoreListener#onDataLost}).
 *
 * <p><b>Rights.</b> A separate user for the store needs <code>~hapax:* ~hapax&#123;* +eval +evalsha
 * +time +get +set +mget +del +hmget +hget +hlen +hscan +hset +hdel +pexpire +zadd +zrem
 * +zrangebylex +info +config|get</code>, with its own namespace instead of {@code hapax}. To wait
 * for replicas it also needs <code>+wait +client|setname +client|getname</code>, and in a cluster
 * <code>+cluster|nodes +asking</code>. The store names missing permissions when it is built.
 */
@NullMarked
package io.hapax.redis;

import org.jspecify.annotations.NullMarked;
