package io.hapax.console.site;

/** Refuses a request with an error page. */
final class RefusedRequest extends Exception {

  private static final long serialVersionUID = 1L;

  private final int status;
  private final String key;

  RefusedRequest(int status, String key, String detail) {
    super(detail, null, false, false);
    this.status = status;
    this.key = key;
  }

  int status() {
    return status;
  }

  String key() {
    return key;
  }

  String detail() {
    return String.valueOf(getMessage());
  }
}
