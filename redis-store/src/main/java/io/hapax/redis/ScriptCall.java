package io.hapax.redis;

import java.util.List;

/**
 * A script to run.
 *
 * @param script which
 * @param marks in which layout
 * @param keys its keys, all of one shard
 * @param arguments its arguments
 */
record ScriptCall(Script script, Script.Marks marks, List<byte[]> keys, List<byte[]> arguments) {

  Request byName() {
    return Request.byName(ScriptText.of(script, marks), keys, arguments);
  }

  Request byText() {
    return Request.byText(ScriptText.of(script, marks), keys, arguments);
  }
}
