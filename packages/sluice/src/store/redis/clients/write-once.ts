/** Keeps ioredis and iovalkey from sending a command again that may already have been counted. */

/** As much of a client as is needed here. */
interface Sender {
  sendCommand(command: Command): Promise<unknown>;
}

interface Command {
  toWritable(socket: unknown): unknown;
  reject(error: unknown): void;
}

/** Its answer is no list, so that it is taken for a failure. */
const HARMLESS = "*1\r\n$4\r\nPING\r\n";

/**
 * When a connection is lost, these libraries send again what had no reply. Through the client returned here, which is
 * the given one in all else, a command is written a second time only after Redis itself has refused it, as it does to
 * send us to another node.
 */
export function writingOnce<Client extends object>(client: Client): Client {
  const { sendCommand } = client as Client & Partial<Sender>;
  if (typeof sendCommand !== "function") return client;
  const value = (command: Command) => {
    const { toWritable } = command;
    if (typeof toWritable !== "function") return sendCommand.call(client, command);
    let written = false;
    command.toWritable = (socket) => {
      if (written) return HARMLESS;
      written = true;
      return toWritable.call(command, socket);
    };
    const reply = sendCommand.call(client, command);
    const { reject } = command;
    command.reject = (error) => {
      if (error instanceof Error && error.name === "ReplyError") written = false;
      reject.call(command, error);
    };
    return reply;
  };
  return Object.create(client, { sendCommand: { value } }) as Client;
}
