package io.hapax.redis;

import io.hapax.mark.MessageKey;
import io.hapax.store.StoreException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Carries verbs out: splits a list into batches, runs their scripts at once, and puts the answers
 * into the order of the list.
 *
 * <p>If no batch was answered the whole call fails; if some were, the items of the others are
 * answered as unavailable.
 */
final class Executor {

  private final Keyspace keyspace;
  private final ScriptRunner scripts;
  private final ScriptRunner settling;
  private final Canaries canaries;
  private final Crowding crowding;
  private final byte[] retentionMillis;
  private final byte[] fieldBytes;
  private volatile long clockOffset;

  Executor(
      Keyspace keyspace,
      Duration retention,
      ScriptRunner scripts,
      ScriptRunner settling,
      Canaries canaries,
      Crowding crowding) {
    this.keyspace = keyspace;
    this.scripts = scripts;
    this.settling = settling;
    this.canaries = canaries;
    this.crowding = crowding;
    this.retentionMillis = ascii(retention.toMillis());
    this.fieldBytes = ascii(keyspace.layout().fieldBytes(keyspace.shards()));
  }

  void setClockOffset(long micros) {
    clockOffset = micros;
  }

  <I, A> List<A> each(Verb<I, A> verb, List<I> items) {
    List<Batch> batches = Batch.split(items, verb.key(), keyspace);
    List<Reply> replies = runner(verb.script())
        .run(batches.stream().map(batch -> call(verb, batch, items)).toList());
    Optional<String> failure = failure(verb.script(), replies);
    Object[] answers = new Object[items.size()];
    for (int i = 0; i < batches.size(); i++) {
      Batch batch = batches.get(i);
      if (replies.get(i) instanceof Reply.Answer answer) {
        fill(answers, verb, batch, items, answer.content());
      } else {
        String reason = failure.orElseThrow();
        batch.places().forEach(place -> answers[place] = verb.unavailable().apply(reason));
      }
    }
    @SuppressWarnings("unchecked") // filled above with answers of this verb, every place once
    List<A> all = (List<A>) Arrays.asList(answers);
    return all;
  }

  /** Runs one script on one shard and gives what it said behind the time. */
  List<Object> one(Script script, List<byte[]> keys, List<byte[]> arguments) {
    return ask(runner(script), List.of(call(script, keys, arguments))).get(0);
  }

  /** What is acted upon once it is answered waits for replicas, if anything does. */
  private ScriptRunner runner(Script script) {
    return script == Script.SETTLE || script == Script.RESOLVE ? settling : scripts;
  }

  /** A call that is told what every script is told, too. */
  ScriptCall call(Script script, List<byte[]> keys, List<byte[]> arguments) {
    List<byte[]> all = new ArrayList<>(List.of(ascii(clockOffset), retentionMillis, fieldBytes));
    all.addAll(arguments);
    return new ScriptCall(script, keyspace.layout().marks(), keys, all);
  }

  /** Runs scripts at once, all of which must be answered; gives what each said behind the time. */
  List<List<Object>> ask(List<ScriptCall> calls) {
    return ask(scripts, calls);
  }

  private static List<List<Object>> ask(ScriptRunner runner, List<ScriptCall> calls) {
    List<Reply> replies = runner.run(calls);
    List<List<Object>> said = new ArrayList<>();
    for (int i = 0; i < calls.size(); i++) {
      if (replies.get(i) instanceof Reply.Failure failure) {
        throw trouble(calls.get(i).script(), failure.cause());
      }
      List<Object> content = ((Reply.Answer) replies.get(i)).content();
      said.add(content.subList(1, content.size()));
    }
    return said;
  }

  private <I> ScriptCall call(Verb<I, ?> verb, Batch batch, List<I> items) {
    List<byte[]> arguments = new ArrayList<>(verb.arguments());
    arguments.add(
        joined(batch.places().stream().map(items::get).map(verb.tell()).toList()));
    return call(verb.script(), batch.keys(items, verb.key(), keyspace), arguments);
  }

  private <I, A> void fill(
      @Nullable Object[] answers, Verb<I, A> verb, Batch batch, List<I> items, List<Object> said) {
    if (verb.script() == Script.CLAIM) {
      canaries.seen(batch.shard(), (byte[]) said.get(1));
    } else if (verb.script() == Script.SETTLE) {
      crowding.seen((Long) said.get(1));
    }
    long now = (Long) said.get(0);
    byte[] letters = (byte[]) said.get(2);
    Iterator<Object> rest = said.listIterator(3);
    Supplier<byte[]> more = () -> (byte[]) rest.next();
    for (int i = 0; i < batch.places().size(); i++) {
      int place = batch.places().get(i);
      byte letter = letters.length == 0 ? Verb.Reading.USUAL : letters[i];
      answers[place] = verb.reading().read(items.get(place), letter, more, now);
    }
  }

  /** Why some batches were not answered, empty if all were; fails if none was. */
  private static Optional<String> failure(Script script, List<Reply> replies) {
    List<Throwable> causes = replies.stream()
        .filter(Reply.Failure.class::isInstance)
        .map(reply -> ((Reply.Failure) reply).cause())
        .toList();
    if (!causes.isEmpty() && causes.size() == replies.size()) {
      throw trouble(script, causes.get(0));
    }
    return causes.stream().findFirst().map(cause -> trouble(script, cause).getMessage());
  }

  private static StoreException trouble(Script script, Throwable cause) {
    return new StoreException("Redis did not " + script.verb() + ": " + cause.getMessage(), cause);
  }

  private static byte[] joined(List<byte[]> parts) {
    ByteBuffer whole =
        ByteBuffer.allocate(parts.stream().mapToInt(part -> part.length).sum());
    parts.forEach(whole::put);
    return whole.array();
  }

  static byte[] ascii(Object value) {
    return value.toString().getBytes(StandardCharsets.US_ASCII);
  }

  Keyspace keyspace() {
    return keyspace;
  }

  List<byte[]> keysOf(MessageKey key) {
    return new Batch(keyspace.shardOf(key), key.scope(), List.of(0))
        .keys(List.of(key), it -> it, keyspace);
  }
}
