package io.hapax.redis;

import io.hapax.store.StoreException;
import io.lettuce.core.protocol.CommandType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Adds commands around a list of commands to one server; their replies prove that enough replicas
 * have what the list wrote.
 *
 * <p>{@code WAIT} covers the last write of its own connection, so an additional write goes before
 * it. This also covers repeated commands that changed nothing. The connection gets a unique name,
 * which is read at the end: a {@code WAIT} that the client repeats on a new connection would prove
 * nothing. (The connection id would not do: a restarted or another server counts from 1 again.)
 */
record ReplicaWait(int replicas, Duration timeout) {

  /** The extended list of commands. */
  record Extended(ReplicaWait replicaWait, String name, List<RedisRequest> requests) {

    /** Returns the replies to the original list; failures if the proof is missing. */
    List<Reply> check(List<Reply> replies) {
      List<Reply> original = replies.subList(1, replies.size() - 3);
      String reason =
          replicaWait.missingProof(name, replies.subList(replies.size() - 3, replies.size()));
      return reason.isEmpty()
          ? List.copyOf(original)
          : original.stream().map(reply -> failed(reply, reason)).toList();
    }

    private static Reply failed(Reply reply, String reason) {
      return reply instanceof Reply.Answer ? new Reply.Failure(new StoreException(reason)) : reply;
    }
  }

  /**
   * Sends commands to one server and waits once until enough replicas have their writes. No other
   * caller uses the connection, because {@code WAIT} blocks the commands behind it.
   */
  Sender over(Pipeline own) {
    return new Sender() {
      @Override
      public List<Reply> send(List<RedisRequest> requests) {
        Extended extended = extend(requests);
        return extended.check(own.send(extended.requests()));
      }

      @Override
      public void close() {
        own.close();
      }
    };
  }

  Extended extend(List<RedisRequest> requests) {
    String name = "hapax-" + UUID.randomUUID();
    List<RedisRequest> all = new ArrayList<>();
    all.add(RedisRequest.of(CommandType.CLIENT, "SETNAME", name));
    all.addAll(requests);
    all.add(RedisRequest.ofKey(CommandType.SET, keyBeside(requests.get(0)), ""));
    all.add(RedisRequest.of(
        CommandType.WAIT, Integer.toString(replicas), Long.toString(timeout.toMillis())));
    all.add(RedisRequest.of(CommandType.CLIENT, "GETNAME"));
    return new Extended(this, name, all);
  }

  /** Returns a key with the hash tag of the request's key: in a cluster, on the same node. */
  private static byte[] keyBeside(RedisRequest request) {
    String key = StandardCharsets.ISO_8859_1.decode(firstKey(request)).toString();
    return (key.substring(0, key.indexOf('}') + 1) + "fence").getBytes(StandardCharsets.ISO_8859_1);
  }

  static ByteBuffer firstKey(RedisRequest request) {
    return request.command().getArgs().getFirstEncodedKey();
  }

  /** Returns why the replies do not prove that the replicas have the writes; empty if they do. */
  private String missingProof(String name, List<Reply> last) {
    for (Reply reply : last) {
      if (reply instanceof Reply.Failure failure) {
        return "it is unknown whether the replicas have it: " + failure.text();
      }
    }
    Object nameNow = content(last.get(2));
    if (!(nameNow instanceof byte[] bytes) || !name.equals(RedisRequest.text(bytes))) {
      return "the connection changed during the wait for the replicas";
    }
    long have = (Long) content(last.get(1));
    return have >= replicas
        ? ""
        : have + " of " + replicas + " replicas had it within " + timeout + "; repeat the call";
  }

  private static Object content(Reply reply) {
    return ((Reply.Answer) reply).content().get(0);
  }
}
