/** What a user wrote, on a command line or in a configuration, and nothing can work with. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
