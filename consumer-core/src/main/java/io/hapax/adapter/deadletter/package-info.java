/** What dead-letter records say of their messages, on every broker. */
@NullMarked
package io.hapax.adapter.deadletter;

import org.jspecify.annotations.NullMarked;
