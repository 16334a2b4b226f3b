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

/**
 * One command that can be sent more than once; its reply comes as a list, nested as Redis nests it.
 */
interface Request {

  /** A command to send now. Each is good for one dispatch. */
  AsyncCommand<byte[], byte[], List<Object>> command();

  /** A script by its name, which the server may not know. */
  static Request byName(ScriptText script, List<byte[]> keys, List<byte[]> arguments) {
    return () ->
        command(CommandType.EVALSHA, arguments(keys, arguments, arguments().add(script.sha1())));
  }

  /** A script by its text, after which the server knows its name too. */
  static Request byText(ScriptText script, List<byte[]> keys, List<byte[]> arguments) {
    return byText(script.content(), keys, arguments);
  }

  /** A script that nobody will ask for by its name. */
  static Request byText(String script, List<byte[]> keys, List<byte[]> arguments) {
    return () ->
        command(CommandType.EVAL, arguments(keys, arguments, arguments().add(script)));
  }

  /** A command that a cluster sends to the node of its key. */
  static Request ofKey(CommandType type, byte[] key, String... rest) {
    return () -> {
      CommandArgs<byte[], byte[]> arguments = arguments().addKey(key);
      Arrays.stream(rest).forEach(arguments::add);
      return command(type, arguments);
    };
  }

  /** A command that asks the server itself. */
  static Request of(CommandType type, String... words) {
    return () -> {
      CommandArgs<byte[], byte[]> arguments = arguments();
      Arrays.stream(words).forEach(arguments::add);
      return command(type, arguments);
    };
  }

  /** Text of a reply. */
  static String text(Object reply) {
    return reply instanceof byte[] bytes
        ? new String(bytes, StandardCharsets.UTF_8)
        : reply.toString();
  }

  private static CommandArgs<byte[], byte[]> arguments() {
    return new CommandArgs<>(ByteArrayCodec.INSTANCE);
  }

  /** A cluster's node is found by the first key; all else is written as it is, which is quicker. */
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
