/**
 * Runs real servers as child processes on the loopback interface, from Maven artifacts only: no
 * container, no installation.
 *
 * <p>For tests, demo and benchmarks. A server never outlives the JVM that started it, in whatever
 * way that JVM ends. A watchdog process kills it, running or paused, as soon as the JVM is gone,
 * and deletes its temporary directories.
 *
 * <p>Linux and macOS only: POSIX signals pause, continue and kill the servers.
 */
@NullMarked
package io.hapax.servers;

import org.jspecify.annotations.NullMarked;
