/** Listeners of rocketmq-spring. */
@NullMarked
package io.hapax.spring.rocketmq;

import org.jspecify.annotations.NullMarked;
