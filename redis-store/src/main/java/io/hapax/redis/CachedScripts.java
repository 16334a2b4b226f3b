package io.hapax.redis;

import io.lettuce.core.RedisNoScriptException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Runs scripts by their SHA-1. A new, restarted or flushed server may not know a script. It has
 * executed nothing then, and gets the text of the script in a second round trip.
 */
record CachedScripts(Sender sender) implements ScriptRunner {

  @Override
  public List<Reply> run(List<ScriptCall> calls) {
    List<Reply> replies =
        new ArrayList<>(sender.send(calls.stream().map(ScriptCall::bySha1).toList()));
    List<Integer> unknown = IntStream.range(0, calls.size())
        .filter(i -> replies.get(i) instanceof Reply.Failure failure
            && failure.cause() instanceof RedisNoScriptException)
        .boxed()
        .toList();
    if (!unknown.isEmpty()) {
      List<Reply> second =
          sender.send(unknown.stream().map(i -> calls.get(i).byText()).toList());
      IntStream.range(0, unknown.size()).forEach(i -> replies.set(unknown.get(i), second.get(i)));
    }
    return replies;
  }
}
