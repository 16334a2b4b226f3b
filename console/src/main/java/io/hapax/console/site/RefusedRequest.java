package io.hapax.console.site;

import io.hapax.operations.text.Text;

/** Refuses a request with an error page. */
final class RefusedRequest extends Exception {

  private static final long serialVersionUID = 1L;

  private final int status;
  private final String key;
  private final transient Text detail;

  RefusedRequest(int status, String key, String detail) {
    this(status, key, Text.plain(detail));
  }

  RefusedRequest(int status, String key, Text detail) {
    super(detail.toString(), null, false, false);
    this.status = status;
    this.key = key;
    this.detail = detail;
  }

  int status() {
    return status;
  }

  String key() {
    return key;
  }

  Text detail() {
    return detail;
  }
}
