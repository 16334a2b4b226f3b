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
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Executes verbs: splits a list into batches, runs their scripts at once, and returns the answers
 * in the order of the list.
 *
 * <p>If no batch was answered, the whole call fails. If some batches were answered, the items of
 * the others get the answer {@code Unavailable}.
 */
final class ScriptExecutor {

  private final Keyspace keyspace;
  private final ScriptRunner scripts;
  private final ScriptRunner settling;
  private final DataLossDetector lossDetector;
  private final LongConsumer bucketSizes;
  private final byte[] retentionMillis;
  private final byte[] fieldBytes;
  private volatile long clockOffset;

  ScriptExecutor(
      Keyspace keyspace,
      Duration retention,
      ScriptRunner scripts,
      ScriptRunner settling,
      DataLossDetector lossDetector,
      LongConsumer bucketSizes) {
    this.keyspace = keyspace;
    this.scripts = scripts;
    this.settling = settling;
    this.lossDetector = lossDetector;
    this.bucketSizes = bucketSizes;
    this.retentionMillis = ascii(retention.toMillis());
    this.fieldBytes = ascii(keyspace.layout().fieldBytes(keyspace.shards()));
  }

  void setClockOffset(long micros) {
    clockOffset = micros;
  }

  <I, A> List<A> runAll(Verb<I, A> verb, List<I> items) {
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
        batch.positions().forEach(at -> answers[at] = verb.unavailable().apply(reason));
      }
    }
    @SuppressWarnings("unchecked") // every position holds one answer of this verb
    List<A> all = (List<A>) Arrays.asList(answers);
    return all;
  }

  /** Runs one script on one shard and returns its answer without the time. */
  List<Object> runOne(Script script, List<byte[]> keys, List<byte[]> arguments) {
    return run(runner(script), List.of(call(script, keys, arguments))).get(0);
  }

  /** A caller acts upon settlements and resolutions, so these wait for replicas if configured. */
  private ScriptRunner runner(Script script) {
    return script == Script.SETTLE || script == Script.RESOLVE ? settling : scripts;
  }

  /** Adds the arguments that every script gets. */
  ScriptCall call(Script script, List<byte[]> keys, List<byte[]> arguments) {
    List<byte[]> all = new ArrayList<>(List.of(ascii(clockOffset), retentionMillis, fieldBytes));
    all.addAll(arguments);
    return new ScriptCall(script, keyspace.layout().marks(), keys, all);
  }

  /** Runs scripts at once and fails if one fails; returns their answers without the time. */
  List<List<Object>> run(List<ScriptCall> calls) {
    return run(scripts, calls);
  }

  private static List<List<Object>> run(ScriptRunner runner, List<ScriptCall> calls) {
    List<Reply> replies = runner.run(calls);
    List<List<Object>> answers = new ArrayList<>();
    for (int i = 0; i < calls.size(); i++) {
      if (replies.get(i) instanceof Reply.Failure failure) {
        throw exception(calls.get(i).script(), failure.cause());
      }
      List<Object> content = ((Reply.Answer) replies.get(i)).content();
      answers.add(content.subList(1, content.size()));
    }
    return answers;
  }

  private <I> ScriptCall call(Verb<I, ?> verb, Batch batch, List<I> items) {
    List<byte[]> arguments = new ArrayList<>(verb.arguments());
    arguments.add(
        joined(batch.positions().stream().map(items::get).map(verb.encoder()).toList()));
    return call(verb.script(), batch.keys(items, verb.key(), keyspace), arguments);
  }

  private <I, A> void fill(
      @Nullable Object[] answers, Verb<I, A> verb, Batch batch, List<I> items, List<Object> said) {
    if (verb.script() == Script.CLAIM) {
      lossDetector.verify(batch.shard(), (byte[]) said.get(1));
    } else if (verb.script() == Script.SETTLE) {
      bucketSizes.accept((Long) said.get(1));
    }
    long now = (Long) said.get(0);
    byte[] codes = (byte[]) said.get(2);
    Iterator<Object> rest = said.listIterator(3);
    Supplier<byte[]> details = () -> (byte[]) rest.next();
    for (int i = 0; i < batch.positions().size(); i++) {
      int at = batch.positions().get(i);
      byte code = codes.length == 0 ? AnswerCode.USUAL : codes[i];
      answers[at] = verb.decoder().decode(items.get(at), code, details, now);
    }
  }

  /** Returns why some batches failed, empty if none did; throws if all failed. */
  private static Optional<String> failure(Script script, List<Reply> replies) {
    List<Throwable> causes = replies.stream()
        .filter(Reply.Failure.class::isInstance)
        .map(reply -> ((Reply.Failure) reply).cause())
        .toList();
    if (!causes.isEmpty() && causes.size() == replies.size()) {
      throw exception(script, causes.get(0));
    }
    return causes.stream().findFirst().map(cause -> exception(script, cause).getMessage());
  }

  private static StoreException exception(Script script, Throwable cause) {
    return new StoreException(
        "Redis failed to " + script.verb() + ": " + cause.getMessage(), cause);
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
