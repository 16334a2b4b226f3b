/** What listeners of both brokers share: their settings, ids, stores and receivers. */
@NullMarked
package io.hapax.spring.listener;

import org.jspecify.annotations.NullMarked;
