package io.hapax.redis;

import java.util.List;

/** A script with its arguments. */
record ScriptCall(Script script, Script.Marks marks, List<byte[]> keys, List<byte[]> arguments) {

  Request bySha1() {
    return Request.bySha1(ScriptText.of(script, marks), keys, arguments);
  }

  Request byText() {
    return Request.byText(ScriptText.of(script, marks).content(), keys, arguments);
  }
}
