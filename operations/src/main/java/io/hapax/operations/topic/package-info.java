/** Topics, the parts of them that operations read, and where reading begins. */
@NullMarked
package io.hapax.operations.topic;

import org.jspecify.annotations.NullMarked;
