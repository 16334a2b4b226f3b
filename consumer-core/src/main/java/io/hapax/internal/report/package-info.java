/** Reports events to listeners and keeps the problems that health shows. */
@NullMarked
package io.hapax.internal.report;

import org.jspecify.annotations.NullMarked;
