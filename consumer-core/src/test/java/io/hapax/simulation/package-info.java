/**
 * The real engine on a virtual clock: its processes, a broker and a store live in one thread of
 * events, and every fault and every order of events follows from one seed.
 */
@NullMarked
package io.hapax.simulation;

import org.jspecify.annotations.NullMarked;
