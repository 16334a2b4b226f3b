package io.hapax.redis;

import java.util.List;

/**
 * A script to run.
 *
 * @param script which
 * @param keys its keys, all of one shard
 * @param arguments its arguments
 */
record ScriptCall(Script script, List<byte[]> keys, List<byte[]> arguments) {

  Request byName() {
    return Request.byName(script, keys, arguments);
  }

  Request byText() {
    return Request.byText(script, keys, arguments);
  }
}
