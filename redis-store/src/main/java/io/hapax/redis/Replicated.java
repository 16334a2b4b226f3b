package io.hapax.redis;

import io.hapax.store.StoreException;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Sends commands and then waits once, for all of them, until enough replicas have what they wrote.
 * Has a connection of its own, because a wait holds up whatever comes behind it.
 *
 * <p>{@code WAIT} speaks of what its own connection wrote last, so a write goes before it: also
 * commands that changed nothing, because they are sent again, are waited for. The connection's id
 * is asked before and after: a {@code WAIT} that the client sent once more on a new connection
 * would speak of nothing.
 *
 * @param wire a connection to one server that nobody else uses
 * @param keyspace knows the key of that write
 * @param replicas how many replicas must have it
 * @param patience how long to wait for them
 */
record Replicated(Wire wire, Keyspace keyspace, int replicas, Duration patience)
    implements Sender, AutoCloseable {

  @Override
  public List<Reply> send(List<Request> requests) {
    List<Request> all = new ArrayList<>();
    all.add(Request.of(CommandType.CLIENT, "ID"));
    all.addAll(requests);
    all.add(Request.ofKey(CommandType.SET, keyspace.fence(), ""));
    all.add(Request.of(
        CommandType.WAIT, Integer.toString(replicas), Long.toString(patience.toMillis())));
    all.add(Request.of(CommandType.CLIENT, "ID"));
    List<Reply> replies = wire.send(all);
    List<Reply> asked = replies.subList(1, 1 + requests.size());
    String doubt = doubt(replies.get(0), replies.subList(1 + requests.size(), replies.size()));
    return doubt.isEmpty()
        ? List.copyOf(asked)
        : asked.stream().map(reply -> doubted(reply, doubt)).toList();
  }

  /** Why nobody can say that the replicas have it; empty if they do. */
  private String doubt(Reply before, List<Reply> behind) {
    for (Reply reply : behind) {
      if (reply instanceof Reply.Failure failure) {
        return "it is not known what the replicas have: " + failure.cause().getMessage();
      }
    }
    if (!before.equals(behind.get(2))) {
      return "the connection changed while the replicas were waited for";
    }
    long have = (Long) ((Reply.Answer) behind.get(1)).content().get(0);
    return have >= replicas
        ? ""
        : have + " of " + replicas + " replicas had it within " + patience + "; send it again";
  }

  private static Reply doubted(Reply reply, String doubt) {
    return reply instanceof Reply.Answer ? new Reply.Failure(new StoreException(doubt)) : reply;
  }

  @Override
  public void close() {
    wire.close();
  }
}
