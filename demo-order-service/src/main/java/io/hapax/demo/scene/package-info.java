/**
 * What the scenes share: events on a real broker, a shop's database, marks, and the result of a
 * scene. Each scene has its own package beside this one.
 */
@NullMarked
package io.hapax.demo.scene;

import org.jspecify.annotations.NullMarked;
