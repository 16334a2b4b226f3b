package io.hapax.spring.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.ModelAndView;

/** Handlers that are not idempotent and let another handler answer. */
@RestController
class NestedController {

  @PostMapping("/forwarding")
  ModelAndView forward(@RequestParam String to) {
    return new ModelAndView("forward:" + to);
  }

  @PostMapping("/including")
  void include(HttpServletRequest request, HttpServletResponse response, @RequestParam String to)
      throws Exception {
    request.getRequestDispatcher(to).include(request, response);
  }

  @PostMapping("/dispatching")
  void dispatch(HttpServletRequest request, @RequestParam String to) {
    request.startAsync().dispatch(to);
  }

  @PostMapping("/unprotected")
  String unprotected(@RequestParam String text) {
    ShopController.RUNS.add(text);
    return "unprotected";
  }
}
