/** What the adapter shares with the operations of operators. Not API: it may change at any time. */
@NullMarked
package io.hapax.rocketmq.internal;

import org.jspecify.annotations.NullMarked;
