/** Tests of the Redis store on real servers. */
@NullMarked
package io.hapax.redis;

import org.jspecify.annotations.NullMarked;
