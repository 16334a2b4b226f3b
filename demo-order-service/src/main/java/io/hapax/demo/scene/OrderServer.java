package io.hapax.demo.scene;

import io.hapax.ExecutionResult;
import io.hapax.demo.LoopbackServer;
import io.hapax.demo.LoopbackServer.Request;
import io.hapax.demo.LoopbackServer.Response;
import io.hapax.demo.scene.Tokens.InvalidTokenException;
import io.hapax.mark.Bytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * The shop's HTTP interface. {@code POST /orders} places an order; the body is the amount. The
 * request carries an {@value #KEY} that the client chose, or an {@value #TOKEN} from {@code POST
 * /tokens}. The header {@value #CUSTOMER} replaces a login, which does not matter here.
 */
final class OrderServer implements AutoCloseable {

  static final String CUSTOMER = "Customer";
  static final String KEY = "Idempotency-Key";
  static final String TOKEN = "Order-Token";

  private static final Response BAD_REQUEST = Response.of(400, "");

  private final Stage stage;
  private final OrderDesk desk;
  private final Tokens tokens;
  private final Requests requests;
  private final LoopbackServer server;

  /** Starts a server on a free port; it closes the requests. */
  OrderServer(Stage stage, OrderDesk desk, Tokens tokens, Requests requests) throws IOException {
    this.stage = stage;
    this.desk = desk;
    this.tokens = tokens;
    this.requests = requests;
    this.server = LoopbackServer.start(0, Map.of("/orders", this::order, "/tokens", this::token));
  }

  int port() {
    return server.port();
  }

  private Response token(Request request) throws Exception {
    Optional<String> customer = customer(request);
    return customer.isEmpty()
        ? BAD_REQUEST
        : Response.of(201, stage.transact(shop -> tokens.issue(shop, customer.get())));
  }

  private static Optional<String> customer(Request request) {
    return request.header(CUSTOMER).filter(customer -> request.method().equals("POST"));
  }

  /** Two customers may choose the same key, so the customer is a part of the id. */
  private Response order(Request request) throws Exception {
    Optional<String> customer = customer(request);
    Optional<Integer> amount = amount(request.body());
    Optional<String> key = request.header(KEY);
    Optional<String> token = request.header(TOKEN);
    if (customer.isEmpty() || amount.isEmpty() || key.isPresent() == token.isPresent()) {
      return BAD_REQUEST;
    }
    String id = key.map(it -> "/key/" + it).orElseGet(() -> "/token/" + token.orElseThrow());
    try {
      return requests
          .run(customer.get() + id, request.body(), transaction -> {
            if (token.isPresent()) {
              tokens.use(transaction, customer.get(), token.get());
            }
            return Bytes.utf8(desk.place(transaction, customer.get(), amount.get()));
          })
          .match(new Answers());
    } catch (InvalidTokenException e) {
      return Response.of(403, "");
    }
  }

  private static Optional<Integer> amount(String body) {
    try {
      return Optional.of(Integer.parseInt(body));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static final class Answers implements ExecutionResult.Cases<Response> {

    private static Response created(Bytes order) {
      return Response.of(201, new String(order.toByteArray(), StandardCharsets.UTF_8));
    }

    @Override
    public Response executed(ExecutionResult.Executed answer) {
      return created(answer.result());
    }

    @Override
    public Response replayed(ExecutionResult.Replayed answer) {
      return created(answer.result().orElse(Bytes.EMPTY));
    }

    @Override
    public Response inProgress(ExecutionResult.InProgress answer) {
      long seconds = Math.max(1, answer.retryAfter().toSeconds());
      return new Response(409, Map.of("Retry-After", Long.toString(seconds)), "");
    }

    @Override
    public Response conflict(ExecutionResult.Conflict answer) {
      return Response.of(422, "");
    }

    @Override
    public Response inDoubt(ExecutionResult.InDoubt answer) {
      return Response.of(500, "");
    }
  }

  @Override
  public void close() {
    server.close();
    requests.close();
  }
}
