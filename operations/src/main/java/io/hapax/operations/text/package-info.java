/** Texts for people, in English and Chinese: reports, refusals and the messages of exceptions. */
@NullMarked
package io.hapax.operations.text;

import org.jspecify.annotations.NullMarked;
