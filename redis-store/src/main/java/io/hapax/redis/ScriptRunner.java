package io.hapax.redis;

import java.util.List;

/** Runs scripts on their servers. */
interface ScriptRunner {

  /** Runs all at once and waits for all; the i-th reply belongs to the i-th call. */
  List<Reply> run(List<ScriptCall> calls);
}
