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
 * Commands to one server, between others that prove that enough replicas have what they wrote.
 *
 * <p>{@code WAIT} speaks of what its own connection wrote last, so a write goes before it: also
 * commands that changed nothing, because they are sent again, are waited for. The connection gets a
 * name that nobody else uses, and is asked for it at the end: a {@code WAIT} that the client sent
 * once more on a new connection would speak of nothing. (Its number would not do: a server that was
 * restarted, or another one, counts from the beginning.)
 *
 * @param replicas how many replicas must have it
 * @param patience how long to wait for them
 */
record ReplicaFence(int replicas, Duration patience) {

  /** What was put around. */
  record Fenced(ReplicaFence fence, String name, List<Request> requests) {

    /** The replies to what was asked; refused, unless it is proved that the replicas have it. */
    List<Reply> judge(List<Reply> replies) {
      List<Reply> asked = replies.subList(1, replies.size() - 3);
      String doubt = fence.doubt(name, replies.subList(replies.size() - 3, replies.size()));
      return doubt.isEmpty()
          ? List.copyOf(asked)
          : asked.stream().map(reply -> doubted(reply, doubt)).toList();
    }

    private static Reply doubted(Reply reply, String doubt) {
      return reply instanceof Reply.Answer ? new Reply.Failure(new StoreException(doubt)) : reply;
    }
  }

  /** Puts everything around that the proof needs. */
  Fenced around(List<Request> requests) {
    String name = "hapax-" + UUID.randomUUID();
    List<Request> all = new ArrayList<>();
    all.add(Request.of(CommandType.CLIENT, "SETNAME", name));
    all.addAll(requests);
    all.add(Request.ofKey(CommandType.SET, keyBeside(requests.get(0)), ""));
    all.add(Request.of(
        CommandType.WAIT, Integer.toString(replicas), Long.toString(patience.toMillis())));
    all.add(Request.of(CommandType.CLIENT, "GETNAME"));
    return new Fenced(this, name, all);
  }

  /** A key under the hash tag of the request's, so in a cluster on the same node. */
  private static byte[] keyBeside(Request request) {
    String key = StandardCharsets.ISO_8859_1.decode(firstKey(request)).toString();
    return (key.substring(0, key.indexOf('}') + 1) + "fence").getBytes(StandardCharsets.ISO_8859_1);
  }

  static ByteBuffer firstKey(Request request) {
    return request.command().getArgs().getFirstEncodedKey();
  }

  /** Why nobody can say that the replicas have it; empty if they do. */
  private String doubt(String name, List<Reply> behind) {
    for (Reply reply : behind) {
      if (reply instanceof Reply.Failure failure) {
        return "it is not known what the replicas have: " + failure.cause().getMessage();
      }
    }
    Object nameNow = content(behind.get(2));
    if (!(nameNow instanceof byte[] bytes) || !name.equals(Request.text(bytes))) {
      return "the connection changed while the replicas were waited for";
    }
    long have = (Long) content(behind.get(1));
    return have >= replicas
        ? ""
        : have + " of " + replicas + " replicas had it within " + patience + "; send it again";
  }

  private static Object content(Reply reply) {
    return ((Reply.Answer) reply).content().get(0);
  }
}
