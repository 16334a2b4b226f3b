package io.hapax.spring.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.hapax.IdempotentExecutor;
import io.hapax.mark.Bytes;
import io.hapax.mark.Fingerprint;
import io.hapax.spring.CurrentDelivery;
import io.hapax.spring.IdempotentRequest;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.view.RedirectView;

/** Handlers that note each run, across restarts of the application. */
@RestController
@IdempotentRequest
class ShopController {

  /** One entry for each run of a handler. */
  static final Queue<String> RUNS = new ConcurrentLinkedQueue<>();

  static volatile CountDownLatch entered = new CountDownLatch(1);
  static volatile CountDownLatch leave = new CountDownLatch(0);

  private final IdempotentExecutor jobs;

  ShopController(IdempotentExecutor jobs) {
    this.jobs = jobs;
  }

  static long runs(String text) {
    return RUNS.stream().filter(text::equals).count();
  }

  private static int note(String text) {
    RUNS.add(text);
    return RUNS.size();
  }

  @PostMapping("/shops/{shop}/orders")
  ResponseEntity<String> order(@PathVariable String shop, @RequestBody String body) {
    int number = note(body);
    return ResponseEntity.created(URI.create("/shops/" + shop + "/orders/" + number))
        .eTag("v" + number)
        .header("X-Number", "" + number)
        .body("order " + number);
  }

  @PostMapping("/slow")
  String slow(@RequestBody String body) throws InterruptedException {
    entered.countDown();
    leave.await();
    return "run " + note(body);
  }

  /** Answers with each status of the list in turn. */
  @PostMapping("/status")
  ResponseEntity<String> status(@RequestBody String body, @RequestParam int[] list) {
    note(body);
    int run = (int) runs(body);
    boolean recovery = CurrentDelivery.get().orElseThrow().recovery();
    return ResponseEntity.status(list[run - 1]).body("recovery " + recovery);
  }

  @PostMapping("/fails-once")
  String failsOnce(@RequestBody String body) {
    note(body);
    if (runs(body) == 1) {
      throw new IllegalStateException("the first run fails");
    }
    return "done";
  }

  @PostMapping("/missing")
  String missing(@RequestBody String body) {
    note(body);
    throw new ResponseStatusException(HttpStatus.NOT_FOUND, "no such thing");
  }

  @PostMapping("/redirect")
  RedirectView redirect(@RequestBody String body) {
    note(body);
    return new RedirectView("/elsewhere/" + RUNS.size());
  }

  @PostMapping("/form")
  String form(@RequestParam String text) {
    return text + " " + note(text);
  }

  @PostMapping("/raw")
  String raw(HttpServletRequest request) throws Exception {
    String body = new String(request.getInputStream().readAllBytes(), UTF_8);
    note(body);
    return body + " with the parameter " + request.getParameter("text");
  }

  @PostMapping(path = "/choice", headers = "X-Action=pay")
  String pay(@RequestBody String body) {
    return "paid " + note(body);
  }

  @PostMapping(path = "/choice", headers = "X-Action=cancel")
  String cancel(@RequestBody String body) {
    return "cancelled " + note(body);
  }

  /** Lets a handler answer that is idempotent too, as a part of this request. */
  @PostMapping("/passing-on")
  ModelAndView passOn() {
    return new ModelAndView("forward:/shops/a/orders");
  }

  @PostMapping("/upload")
  String upload(@RequestParam MultipartFile file) throws Exception {
    String text = new String(file.getBytes(), UTF_8);
    return text + " " + note(text);
  }

  @PostMapping("/long")
  String longAnswer(@RequestBody String body) {
    note(body);
    return "x".repeat(70_000);
  }

  @PostMapping("/optional")
  @IdempotentRequest(required = false, header = "X-Request-Id")
  String optional(@RequestBody String body) {
    return "run " + note(body);
  }

  @PostMapping("/job")
  String job(@RequestBody String body) throws InterruptedException {
    jobs.execute(body, Fingerprint.NONE, delivery -> Bytes.utf8("" + note(body)));
    return "done";
  }

  @GetMapping("/orders")
  String list() {
    return "all";
  }
}
