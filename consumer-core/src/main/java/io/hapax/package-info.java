/** What a user of Hapax types: the receiver, its handlers and its settings. */
@NullMarked
package io.hapax;

import org.jspecify.annotations.NullMarked;
