package io.hapax.spring.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests with a key to a shop in an embedded server. */
class IdempotentRequestTest {

  @AutoClose
  private static RunningShop shop;

  private final String key = UUID.randomUUID().toString();
  private final String body = "body " + key;

  @BeforeAll
  static void start() {
    shop = RunningShop.start(
        ShopApplication.class, "spring.servlet.multipart.strict-servlet-compliance=true");
  }

  @Test
  void the_same_key_takes_effect_once_and_gets_the_same_answer() throws Exception {
    HttpResponse<String> first = shop.send(shop.post("/shops/a/orders", key, body));
    HttpResponse<String> second = shop.send(shop.post("/shops/a/orders", key, body));

    assertThat(ShopController.runs(body)).isEqualTo(1);
    assertThat(first.statusCode()).isEqualTo(201);
    assertThat(first.headers().firstValue("Idempotency-Replayed")).isEmpty();
    assertThat(first.headers().firstValue("X-Number")).isPresent();
    assertThat(second.statusCode()).isEqualTo(201);
    assertThat(second.body()).isEqualTo(first.body()).startsWith("order ");
    assertThat(second.headers().firstValue("Idempotency-Replayed")).hasValue("true");
    assertThat(second.headers().firstValue("X-Outer")).hasValue("of a filter");
    for (String header : new String[] {"Location", "ETag", "Content-Type", "Content-Length"}) {
      assertThat(second.headers().allValues(header))
          .as(header)
          .hasSize(1)
          .isEqualTo(first.headers().allValues(header));
    }
  }

  @Test
  void another_body_path_or_query_under_the_key_gets_422() throws Exception {
    shop.send(shop.post("/shops/a/orders", key, body));

    assertProblem(shop.send(shop.post("/shops/a/orders", key, "other")), 422);
    assertProblem(shop.send(shop.post("/shops/b/orders", key, body)), 422);
    assertProblem(shop.send(shop.post("/shops/a/orders?x=1", key, body)), 422);
    assertThat(ShopController.runs(body)).isEqualTo(1);
    assertThat(ShopController.runs("other")).isZero();
  }

  @Test
  void a_request_gets_409_while_another_one_with_its_key_runs() throws Exception {
    ShopController.entered = new CountDownLatch(1);
    ShopController.leave = new CountDownLatch(1);
    CompletableFuture<HttpResponse<String>> first = shop.sendAsync(shop.post("/slow", key, body));
    ShopController.entered.await();
    HttpResponse<String> second = shop.send(shop.post("/slow", key, body));
    ShopController.leave.countDown();

    assertProblem(second, 409);
    assertThat(second.headers().firstValue("Retry-After")).hasValue("1");
    assertThat(first.get().statusCode()).isEqualTo(200);
    assertThat(shop.send(shop.post("/slow", key, body)).body())
        .isEqualTo(first.get().body());
    assertThat(ShopController.runs(body)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {503, 429})
  void an_error_of_the_server_or_of_the_moment_is_not_stored_and_runs_again_in_doubt(int status)
      throws Exception {
    String path = "/status?list=" + status + ",200";
    HttpResponse<String> first = shop.send(shop.post(path, key, body));
    HttpResponse<String> second = shop.send(shop.post(path, key, body));

    assertThat(first.statusCode()).isEqualTo(status);
    assertThat(first.body()).isEqualTo("recovery false");
    assertThat(second.statusCode()).isEqualTo(200);
    assertThat(second.body()).isEqualTo("recovery true");
    assertThat(second.headers().firstValue("Idempotency-Replayed")).isEmpty();
  }

  @Test
  void an_exception_of_the_handler_reaches_the_error_page() throws Exception {
    HttpResponse<String> first = shop.send(shop.post("/fails-once", key, body));
    HttpResponse<String> second = shop.send(shop.post("/fails-once", key, body));

    assertThat(first.statusCode()).isEqualTo(500);
    assertThat(first.body()).contains("\"path\":\"/fails-once\"");
    assertThat(second.body()).isEqualTo("done");
  }

  @Test
  void an_error_of_the_client_is_stored_with_its_error_page() throws Exception {
    HttpResponse<String> first = shop.send(shop.post("/missing", key, body));
    HttpResponse<String> second = shop.send(shop.post("/missing", key, body));

    assertThat(ShopController.runs(body)).isEqualTo(1);
    assertThat(first.statusCode()).isEqualTo(404);
    assertThat(first.body()).contains("\"path\":\"/missing\"");
    assertThat(second.statusCode()).isEqualTo(404);
    assertThat(second.body()).contains("\"path\":\"/missing\"");
  }

  @Test
  void a_redirect_is_stored() throws Exception {
    HttpResponse<String> first = shop.send(shop.post("/redirect", key, body));
    HttpResponse<String> second = shop.send(shop.post("/redirect", key, body));

    assertThat(ShopController.runs(body)).isEqualTo(1);
    assertThat(first.statusCode()).isEqualTo(302);
    assertThat(first.headers().firstValue("Location")).isPresent();
    assertThat(second.statusCode()).isEqualTo(302);
    assertThat(second.headers().firstValue("Location"))
        .isEqualTo(first.headers().firstValue("Location"));
  }

  @Test
  void a_request_without_one_usable_key_gets_400() throws Exception {
    HttpRequest.Builder none =
        shop.request("/shops/a/orders", "ann").POST(BodyPublishers.ofString(body));

    assertProblem(shop.send(none), 400);
    assertProblem(shop.send(none.header("Idempotency-Key", " ")), 400);
    assertProblem(shop.send(shop.post("/shops/a/orders", "k".repeat(256), body)), 400);
    assertProblem(
        shop.send(shop.post("/shops/a/orders", key, body).header("Idempotency-Key", "2")), 400);
    assertThat(ShopController.runs(body)).isZero();
  }

  @Test
  void a_key_or_a_user_that_was_decoded_from_invalid_bytes_is_refused() throws Exception {
    assertProblem(shop.send(shop.post("/shops/a/orders", "%FF", body)), 400);
    assertProblem(
        shop.send(shop.post("/shops/a/orders", key, body).setHeader("X-User", "%FF")), 403);
    assertThat(ShopController.runs(body)).isZero();
  }

  @Test
  void a_request_without_an_optional_key_runs_each_time() throws Exception {
    HttpRequest.Builder request =
        shop.request("/optional", "ann").POST(BodyPublishers.ofString(body));
    shop.send(request);
    shop.send(request);
    assertThat(ShopController.runs(body)).isEqualTo(2);

    shop.send(request.header("X-Request-Id", key));
    shop.send(request);
    assertThat(ShopController.runs(body)).isEqualTo(3);
  }

  @Test
  void a_body_above_the_limit_gets_413_and_does_not_run() throws Exception {
    String huge = "x".repeat(20 * 1024 + 1);

    assertProblem(shop.send(shop.post("/shops/a/orders", key, huge)), 413);
    assertProblem(shop.send(chunked(shop.post("/shops/a/orders", key, ""), huge)), 413);
    assertProblem(shop.send(chunked(form(""), "text=" + huge)), 413);
    assertProblem(shop.send(chunked(upload("boundary", ""), parts("boundary", huge))), 413);
    assertThat(ShopController.runs(huge)).isZero();
    String longest = huge.substring(1);
    assertThat(shop.send(shop.post("/shops/a/orders", key, longest)).statusCode())
        .isEqualTo(201);
    assertThat(ShopController.runs(longest)).isEqualTo(1);
  }

  @Test
  void another_user_may_choose_the_same_key() throws Exception {
    HttpRequest.Builder request = shop.post("/shops/a/orders", key, body);
    HttpResponse<String> ofAnn = shop.send(request);
    HttpResponse<String> ofBob = shop.send(request.setHeader("X-User", "bob"));

    assertThat(ofBob.statusCode()).isEqualTo(201);
    assertThat(ofBob.body()).isNotEqualTo(ofAnn.body());
    assertThat(ShopController.runs(body)).isEqualTo(2);
  }

  @Test
  void a_request_that_security_refuses_gets_no_stored_answer() throws Exception {
    shop.send(shop.post("/shops/a/orders", key, body));
    HttpRequest anonymous = HttpRequest.newBuilder(
            shop.post("/shops/a/orders", key, body).build(),
            (name, value) -> !name.equals("X-User"))
        .build();

    HttpResponse<String> answer = shop.send(HttpRequest.newBuilder(anonymous, (n, v) -> true));

    assertThat(answer.statusCode()).isEqualTo(401);
    assertThat(answer.body()).isEmpty();
  }

  @Test
  void a_form_is_compared_by_its_parameters() throws Exception {
    HttpResponse<String> first = shop.send(form("text=" + key));
    HttpResponse<String> second = shop.send(form("text=" + key));

    assertThat(first.body()).startsWith(key);
    assertThat(second.body()).isEqualTo(first.body());
    assertProblem(shop.send(form("text=other")), 422);
  }

  @Test
  void an_upload_is_compared_by_its_parts() throws Exception {
    HttpResponse<String> first = shop.send(upload("boundary1", key));
    HttpResponse<String> second = shop.send(upload("boundary2", key));

    assertThat(first.body()).startsWith(key);
    assertThat(second.body()).isEqualTo(first.body());
    assertProblem(shop.send(upload("boundary3", "other")), 422);
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/x-www-form-urlencoded", "multipart/mixed; boundary=b"})
  void a_handler_reads_the_raw_body_and_another_body_gets_422(String type) throws Exception {
    String sent = type.startsWith("multipart") ? mixed(key) : "text=a+%26b&key=" + key;
    HttpResponse<String> first = shop.send(raw(type, sent));
    HttpResponse<String> second = shop.send(raw(type, sent));

    String parameter = type.startsWith("multipart") ? "null" : "a &b";
    assertThat(first.body()).isEqualTo(sent + " with the parameter " + parameter);
    assertThat(second.body()).isEqualTo(first.body());
    assertThat(ShopController.runs(sent)).isEqualTo(1);
    assertProblem(shop.send(raw(type, sent.replace(key, "other"))), 422);
  }

  @Test
  void a_parameter_that_cannot_be_decoded_gets_400() throws Exception {
    assertThat(shop.send(form("text=100%")).statusCode()).isEqualTo(400);
  }

  @Test
  void the_key_of_another_handler_of_the_path_gets_422() throws Exception {
    HttpRequest.Builder pay = shop.post("/choice", key, body).header("X-Action", "pay");
    HttpResponse<String> paid = shop.send(pay);
    HttpRequest.Builder cancel = shop.post("/choice", key, body).header("X-Action", "cancel");

    assertProblem(shop.send(cancel), 422);
    assertThat(shop.send(pay).body()).isEqualTo(paid.body()).startsWith("paid ");
    assertThat(ShopController.runs(body)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/forwarding", "/including", "/dispatching"})
  void a_handler_behind_one_that_is_not_idempotent_does_not_run(String path) throws Exception {
    HttpResponse<String> refused = shop.send(shop.post(path + "?to=/shops/a/orders", key, body));
    HttpResponse<String> free =
        shop.send(shop.post(path + "?to=/unprotected&text=" + key, key, body));

    assertThat(ShopController.runs(body)).isZero();
    assertThat(refused.statusCode()).isEqualTo(500);
    assertThat(free.body()).isEqualTo("unprotected");
    assertThat(ShopController.runs(key)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/forwarding", "/including", "/dispatching"})
  void a_handler_whose_key_is_optional_runs_behind_another_one_without_a_key(String path)
      throws Exception {
    HttpResponse<String> without = shop.send(shop.post(path + "?to=/optional", key, body));
    HttpResponse<String> with =
        shop.send(shop.post(path + "?to=/optional", key, body).header("X-Request-Id", key));

    assertThat(without.body()).startsWith("run ");
    assertThat(with.statusCode()).isEqualTo(500);
    assertThat(ShopController.runs(body)).isEqualTo(1);
  }

  @Test
  void an_idempotent_handler_may_forward_to_another_one() throws Exception {
    HttpResponse<String> first = shop.send(shop.post("/passing-on", key, body));
    HttpResponse<String> second = shop.send(shop.post("/passing-on", key, body));

    assertThat(first.statusCode()).isEqualTo(201);
    assertThat(second.body()).isEqualTo(first.body()).startsWith("order ");
    assertThat(ShopController.runs(body)).isEqualTo(1);
  }

  @Test
  void a_long_answer_is_sent_once_and_then_reported_as_not_stored() throws Exception {
    HttpResponse<String> first = shop.send(shop.post("/long", key, body));
    HttpResponse<String> second = shop.send(shop.post("/long", key, body));

    assertThat(first.body()).hasSize(70_000);
    assertProblem(second, 409);
    assertThat(second.headers().firstValue("Retry-After")).isEmpty();
    assertThat(ShopController.runs(body)).isEqualTo(1);
  }

  @Test
  void a_handler_may_execute_a_job() throws Exception {
    shop.send(shop.post("/job", key, body));
    HttpResponse<String> sameJob = shop.send(shop.post("/job", key + "2", body));

    assertThat(sameJob.body()).isEqualTo("done");
    assertThat(ShopController.runs(body)).isEqualTo(1);
  }

  @Test
  void a_safe_request_needs_no_key() throws Exception {
    assertThat(shop.send(shop.request("/orders", "ann")).body()).isEqualTo("all");
  }

  private HttpRequest.Builder form(String content) {
    return shop.post("/form", key, content)
        .setHeader("Content-Type", "application/x-www-form-urlencoded");
  }

  private HttpRequest.Builder upload(String boundary, String content) {
    return shop.post("/upload", key, parts(boundary, content))
        .setHeader("Content-Type", "multipart/form-data; boundary=" + boundary);
  }

  private static String parts(String boundary, String content) {
    return "--" + boundary + "\r\n"
        + "Content-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n"
        + "Content-Type: text/plain\r\n\r\n" + content + "\r\n--" + boundary + "--\r\n";
  }

  private static String mixed(String content) {
    return "--b\r\nContent-Type: text/plain\r\n\r\n" + content + "\r\n--b--\r\n";
  }

  private HttpRequest.Builder raw(String type, String content) {
    return shop.post("/raw", key, content).setHeader("Content-Type", type);
  }

  private static HttpRequest.Builder chunked(HttpRequest.Builder request, String content) {
    return request.POST(
        BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(content.getBytes(UTF_8))));
  }

  private static void assertProblem(HttpResponse<String> answer, int status) {
    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    assertThat(answer.body()).contains("\"status\":" + status);
  }
}
