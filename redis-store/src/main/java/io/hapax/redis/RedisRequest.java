package io.hapax.redis;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** A command that can be sent more than once. Its reply is a list, nested as in Redis. */
interface RedisRequest {

  /** Creates the command; each instance is dispatched once. */
  AsyncCommand<byte[], byte[], List<Object>> command();

  /** Runs a script by its SHA-1, which the server may not know. */
  static RedisRequest bySha1(ScriptText script, List<byte[]> keys, List<byte[]> arguments) {
    return () ->
        command(CommandType.EVALSHA, arguments(keys, arguments, arguments().add(script.sha1())));
  }

  /** Runs a script by its text; afterwards the server knows its SHA-1. */
  static RedisRequest byText(String script, List<byte[]> keys, List<byte[]> arguments) {
    return () ->
        command(CommandType.EVAL, arguments(keys, arguments, arguments().add(script)));
  }

  static RedisRequest ofKey(CommandType type, byte[] key, String... rest) {
    return () -> {
      CommandArgs<byte[], byte[]> arguments = arguments().addKey(key);
      Arrays.stream(rest).forEach(arguments::add);
      return command(type, arguments);
    };
  }

  static RedisRequest of(CommandType type, String... words) {
    return () -> {
      CommandArgs<byte[], byte[]> arguments = arguments();
      Arrays.stream(words).forEach(arguments::add);
      return command(type, arguments);
    };
  }

  static String text(Object reply) {
    return reply instanceof byte[] bytes
        ? new String(bytes, StandardCharsets.UTF_8)
        : reply.toString();
  }

  private static CommandArgs<byte[], byte[]> arguments() {
    return new CommandArgs<>(ByteArrayCodec.INSTANCE);
  }

  /**
   * Adds only the first key as a key, because it is enough for the routing; plain values are
   * faster.
   */
  private static CommandArgs<byte[], byte[]> arguments(
      List<byte[]> keys, List<byte[]> values, CommandArgs<byte[], byte[]> begun) {
    begun.add(keys.size()).addKey(keys.get(0));
    keys.subList(1, keys.size()).forEach(begun::add);
    values.forEach(begun::add);
    return begun;
  }

  private static AsyncCommand<byte[], byte[], List<Object>> command(
      CommandType type, CommandArgs<byte[], byte[]> arguments) {
    return new AsyncCommand<>(
        new Command<>(type, new NestedMultiOutput<>(ByteArrayCodec.INSTANCE), arguments));
  }
}
