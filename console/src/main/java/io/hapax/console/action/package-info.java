/** The actions of operators, each with a dry run, and the log of actions. */
@NullMarked
package io.hapax.console.action;

import org.jspecify.annotations.NullMarked;
