/**
 * Real servers as child processes on the loopback interface, from Maven artifacts alone: no
 * container, no installation.
 *
 * <p>For tests, demo and benchmarks. A server never outlives the JVM that started it, whatever way
 * that JVM ends: a watchdog process kills it, running or paused, as soon as the JVM is gone, and
 * deletes what it kept in temporary directories.
 *
 * <p>Linux and macOS only: the servers are stopped, continued and killed by POSIX signals.
 */
@NullMarked
package io.hapax.servers;

import org.jspecify.annotations.NullMarked;
