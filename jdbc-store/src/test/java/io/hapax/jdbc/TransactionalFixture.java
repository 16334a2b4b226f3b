package io.hapax.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.hapax.DeadLetter;
import io.hapax.IdempotentReceiver;
import io.hapax.ReceiverBuilder;
import io.hapax.ReceiverListener;
import io.hapax.RetrySettings;
import io.hapax.TransactionalHandler;
import io.hapax.adapter.Incoming;
import io.hapax.adapter.Outcome;
import io.hapax.mark.Bytes;
import io.hapax.mark.ClaimRequest;
import io.hapax.mark.ClaimTerms;
import io.hapax.mark.Fingerprint;
import io.hapax.mark.Mark;
import io.hapax.mark.MessageKey;
import io.hapax.mark.Nonce;
import io.hapax.mark.Origin;
import io.hapax.store.CommitUnknownException;
import io.hapax.store.TransactionalDedupStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Receivers in transactional mode on a durable H2 file, and a store that misbehaves on demand. */
@Timeout(60)
abstract class TransactionalFixture {

  static final Duration PATIENCE = Duration.ofSeconds(30);

  final HikariDataSource database = new HikariDataSource();
  final List<DeadLetter<String>> buried = new CopyOnWriteArrayList<>();
  final AtomicInteger calls = new AtomicInteger();
  final List<ReceiverListener.HandlerCall> heard = new CopyOnWriteArrayList<>();
  JdbcDedupStore store;
  private final AtomicInteger elsewhere = new AtomicInteger();
  private final List<IdempotentReceiver<String>> opened = new ArrayList<>();

  @BeforeEach
  void open(@TempDir Path directory) {
    database.setJdbcUrl(
        "jdbc:h2:file:" + directory.resolve("shop") + ";WRITE_DELAY=0;REUSE_SPACE=FALSE");
    Jdbi.create(database)
        .useHandle(handle -> handle.execute("create table effect(id varchar(200))"));
    store = JdbcDedupStore.builder(database).createIfAbsent().build();
  }

  @AfterEach
  void close() {
    opened.forEach(IdempotentReceiver::close);
    database.close();
  }

  IdempotentReceiver<String> receiver(TransactionalHandler.Single<String, Connection> handler) {
    return open(builder()
        .transactional(store, TransactionalHandler.forEach((transaction, delivery) -> {
          calls.incrementAndGet();
          handler.handle(transaction, delivery);
        })));
  }

  ReceiverBuilder<String> builder() {
    return IdempotentReceiver.<String>builder("orders")
        .noFingerprint()
        .id(text -> Optional.of(Bytes.utf8(text.split("=", 2)[0])))
        .drainTimeout(PATIENCE)
        .retry(new RetrySettings(2, Duration.ofMinutes(1), Duration.ofMinutes(1)))
        .deadLetters(buried::add)
        .listener(new ReceiverListener() {
          @Override
          public void onHandlerCall(ReceiverListener.HandlerCall call) {
            heard.add(call);
          }
        });
  }

  IdempotentReceiver<String> open(IdempotentReceiver<String> built) {
    opened.add(built);
    return built;
  }

  static void write(Connection transaction, String id) throws SQLException {
    try (PreparedStatement insert = transaction.prepareStatement("insert into effect values (?)")) {
      insert.setString(1, id);
      insert.executeUpdate();
    }
  }

  List<String> effects() {
    return Jdbi.create(database)
        .withHandle(handle -> handle
            .createQuery("select id from effect order by id")
            .mapTo(String.class)
            .list());
  }

  static List<Incoming<String>> lane(String lane, boolean probation, String... messages) {
    return IntStream.range(0, messages.length)
        .mapToObj(i -> new Incoming<>(messages[i], lane, lane + "@" + i, probation))
        .toList();
  }

  List<Outcome> receive(IdempotentReceiver<String> by, String... messages) throws Exception {
    return by.receive(lane("p0", false, messages), PATIENCE);
  }

  Mark mark(String id) {
    return store.find(List.of(MessageKey.of("orders", id))).get(0).orElseThrow();
  }

  /** Claims a message for another process. */
  void claimElsewhere(String id, Duration lease) {
    Nonce nonce = new Nonce(9, elsewhere.incrementAndGet());
    ClaimTerms solo = new ClaimTerms(true, false, ClaimTerms.ANY_TIME);
    store.claim(
        List.of(new ClaimRequest(
            MessageKey.of("orders", id),
            nonce,
            Fingerprint.NONE,
            new Origin("elsewhere", ""),
            solo)),
        lease);
  }

  IdempotentReceiver<String> receiver(
      ReceiverBuilder<String> builder, TransactionalHandler.Single<String, Connection> handler) {
    return open(builder.transactional(store, TransactionalHandler.forEach(handler)));
  }

  interface Call {
    Object go() throws Throwable;
  }

  interface Fault {
    Object through(String verb, List<?> items, Call call) throws Throwable;
  }

  @SuppressWarnings("unchecked")
  TransactionalDedupStore<Connection> faulty(Fault fault) {
    return (TransactionalDedupStore<Connection>) Proxy.newProxyInstance(
        getClass().getClassLoader(),
        new Class<?>[] {TransactionalDedupStore.class},
        (self, method, args) -> {
          if (method.getName().equals("hashCode")) {
            return 1;
          }
          if (method.getName().equals("equals")) {
            return self == args[0];
          }
          List<?> items =
              args != null && args.length > 0 && args[0] instanceof List<?> list ? list : List.of();
          Call call = () -> {
            try {
              return method.invoke(store, args);
            } catch (InvocationTargetException e) {
              throw e.getCause();
            }
          };
          boolean reachesTheDatabase = !items.isEmpty() || !method.getName().equals("runOnce");
          return reachesTheDatabase ? fault.through(method.getName(), items, call) : call.go();
        });
  }

  List<Outcome> receive(Fault fault, List<Incoming<String>> messages) throws Exception {
    return open(builder()
            .transactional(
                faulty(fault),
                TransactionalHandler.forEach((tx, delivery) -> write(tx, delivery.message()))))
        .receive(messages, PATIENCE);
  }

  static boolean holds(List<?> requests, String id) {
    return requests.stream()
        .anyMatch(it -> ((ClaimRequest) it).key().equals(MessageKey.of("orders", id)));
  }

  /** The first call of the verb does not report whether it committed. */
  static Fault unknownOnce(String unknown, boolean committed) {
    AtomicBoolean armed = new AtomicBoolean(true);
    return (verb, items, call) -> {
      if (!verb.equals(unknown) || !armed.getAndSet(false)) {
        return call.go();
      }
      if (committed) {
        call.go();
      }
      throw new CommitUnknownException("the connection broke", new SQLException("08007"));
    };
  }
}
