/** The client that every contender is given: ioredis as it comes, but for the options that a contender names. */
import { Redis } from "ioredis";

export function connect(port, options = {}) {
  const client = new Redis({ host: "127.0.0.1", port, ...options });
  client.on("error", (error) => {
    if (error.code !== "ECONNREFUSED") throw error;
  });
  return client;
}
