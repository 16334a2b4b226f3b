package io.hapax.console.security;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Creates and checks the CSRF tokens of forms: one for each session, computed with a key of this
 * process. A page of another site cannot know the token.
 */
public final class CsrfTokens {

  private static final String ALGORITHM = "HmacSHA256";

  private final SecretKeySpec key =
      new SecretKeySpec(Secrets.random().getBytes(StandardCharsets.UTF_8), ALGORITHM);

  /** Creates a new key. */
  public CsrfTokens() {}

  /** Returns the token of a session, or of the name of a user. */
  public String of(String session) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      byte[] digest = mac.doFinal(session.getBytes(StandardCharsets.UTF_8));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(
          "this JDK has no " + ALGORITHM + ", which every JDK must have", e);
    }
  }

  /** Returns whether the token of a form belongs to the session, or to the name of the user. */
  public boolean matches(String session, String token) {
    return Secrets.equal(of(session), token);
  }
}
