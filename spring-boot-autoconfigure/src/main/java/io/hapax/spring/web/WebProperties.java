package io.hapax.spring.web;

import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The properties of idempotent requests.
 *
 * @param maxBody the longest body of a request with a key, which is kept in memory. A longer one
 *     gets 413
 * @param headers the headers of a response that are stored and sent again, besides Content-Type
 */
@ConfigurationProperties("hapax.web")
public record WebProperties(
    @DefaultValue("1MB") DataSize maxBody,

    @DefaultValue({
      "Location",
      "ETag",
      "Last-Modified",
      "Link",
      "Content-Disposition",
      "Content-Encoding",
      "Content-Language",
      "Content-Location"
    })
    List<String> headers) {

  private static final long LONGEST = Integer.MAX_VALUE - 8;

  /**
   * Checks the values.
   *
   * @param maxBody as above
   * @param headers as above
   */
  public WebProperties {
    if (maxBody.toBytes() < 0 || maxBody.toBytes() >= LONGEST) {
      throw new IllegalArgumentException(
          "hapax.web.max-body is " + maxBody + " but must be 0 bytes to less than 2 GB");
    }
    headers = List.copyOf(headers);
  }

  int maxBodyBytes() {
    return (int) maxBody.toBytes();
  }
}
