/** The live demo, and the consumer processes that it watches and disturbs, as campaigns do. */
@NullMarked
package io.hapax.demo.live;

import org.jspecify.annotations.NullMarked;
