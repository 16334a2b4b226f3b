package io.hapax.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

@Timeout(60)
class LongRequestsTest {

  @Test
  void a_client_that_has_its_answer_can_send_the_next_request() {
    LongRequests requests = new LongRequests(Duration.ofSeconds(30));

    for (int i = 0; i < 5000; i++) {
      assertThat(requests.run("billing", progress -> "done"))
          .extracting(WebEndpointResponse::getStatus, WebEndpointResponse::getBody)
          .containsExactly(200, "done");
    }
  }

  @Test
  void a_request_that_is_cut_off_is_interrupted_and_holds_back_others_until_it_has_ended()
      throws Exception {
    LongRequests requests = new LongRequests(Duration.ofMillis(50));
    CountDownLatch interrupted = new CountDownLatch(1);
    CountDownLatch ending = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);

    int cutOff = requests
        .run("billing", progress -> {
          try {
            ended.await();
          } catch (InterruptedException e) {
            interrupted.countDown();
          }
          ending.await();
          return ended;
        })
        .getStatus();
    interrupted.await();
    int held = requests.run("billing", progress -> "held").getStatus();
    ending.countDown();

    assertThat(cutOff).isEqualTo(503);
    assertThat(held).isEqualTo(429);
    // A loaded machine may begin a request so late that it is cut off, too.
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> requests.run("billing", progress -> "next").getStatus() == 200);
  }
}
