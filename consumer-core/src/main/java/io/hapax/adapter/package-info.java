/** What a broker adapter submits to a receiver and gets back: messages, submissions, outcomes. */
@NullMarked
package io.hapax.adapter;

import org.jspecify.annotations.NullMarked;
