package io.hapax.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.CommandType;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PendingRepliesTest {

  /**
   * As some clients do that reconnect: they send the command again and keep what they have read.
   */
  @Test
  void a_reply_behind_a_part_of_another_one_is_no_answer() {
    AsyncCommand<byte[], byte[], List<Object>> command =
        RedisRequest.of(CommandType.EVALSHA).command();
    CommandOutput<?, ?, ?> output = command.getOutput();
    output.multi(3);
    output.set(1L);
    output.multi(3);
    output.set(2L);
    output.complete(1); // as after each element
    output.set(0L);
    output.complete(1);
    output.set(ByteBuffer.allocate(0));
    output.complete(0);
    command.complete();

    List<Reply> replies =
        new PendingReplies(List.of(command), Duration.ofSeconds(1), System.nanoTime()).collect();

    assertThat(replies).singleElement().isInstanceOf(Reply.Failure.class);
  }
}
