package io.hapax.redis;

import java.util.List;

/** A script with its arguments. */
record ScriptCall(Script script, Script.Marks marks, List<byte[]> keys, List<byte[]> arguments) {

  RedisRequest bySha1() {
    return RedisRequest.bySha1(ScriptText.of(script, marks), keys, arguments);
  }

  RedisRequest byText() {
    return RedisRequest.byText(ScriptText.of(script, marks).content(), keys, arguments);
  }
}
