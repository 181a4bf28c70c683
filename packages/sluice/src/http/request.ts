/** What the gate sees of any framework's request. */

export interface HttpRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** The pattern of the route, such as "/users/:id", where the framework knows one. */
  readonly route?: string | undefined;
  /** The socket's peer, or undefined where it has none, as on a Unix socket. */
  readonly address: string | undefined;
  /** By its name in lower case; several lines are joined by ", ", those of `cookie` by "; ". */
  header(name: string): string | undefined;
}

/** Reads something of a request: from the framework's own object, or from what all of them have in common. */
export type Reader<Native, T> = (native: Native, request: HttpRequest) => T;
