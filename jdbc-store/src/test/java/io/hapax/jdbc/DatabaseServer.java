package io.hapax.jdbc;

/**
 * A server as a driver sees it.
 *
 * @param url where it is, with its own port in it
 * @param port where it listens
 * @param user a user with all rights
 * @param password the password
 * @param shortTimeouts what to add to the URL so that the driver gives a silent server up after two
 *     seconds
 */
record DatabaseServer(String url, int port, String user, String password, String shortTimeouts) {

  /** The server at another port that leads to it. */
  String urlAt(int otherPort) {
    return url.replace(":" + port + "/", ":" + otherPort + "/");
  }
}
