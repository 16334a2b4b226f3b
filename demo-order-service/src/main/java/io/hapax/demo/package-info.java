/** An order service on Hapax: its listeners on both brokers, its shop, and its scenes. */
@NullMarked
package io.hapax.demo;

import org.jspecify.annotations.NullMarked;
