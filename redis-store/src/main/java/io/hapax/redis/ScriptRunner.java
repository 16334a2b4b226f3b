package io.hapax.redis;

import java.util.List;

/** Runs scripts on their servers. */
interface ScriptRunner {

  /** Runs all scripts at once and waits; the i-th reply belongs to the i-th call. */
  List<Reply> run(List<ScriptCall> calls);
}
