/** The rule that all settings share, also those of stores and adapters. */
@NullMarked
package io.hapax.setting;

import org.jspecify.annotations.NullMarked;
