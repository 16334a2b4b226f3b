/**
 * Looks at what was done without doing anything: goes through a topic once more and says of each
 * message what its mark says, above all which would run again if the topic were replayed now. The
 * adapters bring the messages; what is here is the same for every broker.
 */
@NullMarked
package io.hapax.audit;

import org.jspecify.annotations.NullMarked;
