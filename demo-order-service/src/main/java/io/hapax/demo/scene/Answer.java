package io.hapax.demo.scene;

import io.hapax.ExecutionResult;
import io.hapax.mark.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** An HTTP response. The time to ask again is in seconds. */
record Answer(int status, String body, Optional<Long> retryAfter)
    implements ExecutionResult.Cases<Answer> {

  static final Answer BAD_REQUEST = of(400, "");
  static final Answer FORBIDDEN = of(403, "");
  static final Answer TOO_MANY_REQUESTS = of(429, "");
  static final Answer ERROR = of(500, "");

  static Answer of(int status, String body) {
    return new Answer(status, body, Optional.empty());
  }

  /** Translates the result of an order. */
  static Answer of(ExecutionResult result) {
    return result.match(ERROR);
  }

  private static Answer created(Bytes order) {
    return of(201, new String(order.toByteArray(), StandardCharsets.UTF_8));
  }

  @Override
  public Answer executed(ExecutionResult.Executed answer) {
    return created(answer.result());
  }

  @Override
  public Answer replayed(ExecutionResult.Replayed answer) {
    return created(answer.result().orElse(Bytes.EMPTY));
  }

  @Override
  public Answer inProgress(ExecutionResult.InProgress answer) {
    return new Answer(409, "", Optional.of(Math.max(1, answer.retryAfter().toSeconds())));
  }

  @Override
  public Answer conflict(ExecutionResult.Conflict answer) {
    return of(422, "");
  }

  @Override
  public Answer inDoubt(ExecutionResult.InDoubt answer) {
    return ERROR;
  }
}
