/** Scene 5: a message that takes longer than the broker waits. */
@NullMarked
package io.hapax.demo.sms;

import org.jspecify.annotations.NullMarked;
