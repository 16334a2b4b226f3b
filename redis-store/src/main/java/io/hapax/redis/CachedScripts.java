package io.hapax.redis;

import io.lettuce.core.RedisNoScriptException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Runs scripts by their names. A server that does not know one, because it is new, restarted or was
 * told to forget its scripts, has not executed anything: it gets the text, in a second round.
 */
final class CachedScripts implements ScriptRunner {

  private final Sender sender;

  CachedScripts(Sender sender) {
    this.sender = sender;
  }

  @Override
  public List<Reply> run(List<ScriptCall> calls) {
    List<Reply> replies =
        new ArrayList<>(sender.send(calls.stream().map(ScriptCall::byName).toList()));
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
