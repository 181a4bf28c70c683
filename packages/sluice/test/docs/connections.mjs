/** Leads the addresses that the docs name to the servers that were started for them, and knows what is still open. */
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import { GlideClient, GlideClusterClient, Logger } from "@valkey/valkey-glide";

const LOCAL = new Set(["127.0.0.1", "localhost", "::1"]);

/** The libraries are as a reader has them; what they connect to is changed below them, where a connection is made. */
export function leadTo(ports) {
  const open = new Set();
  const started = new Set(Object.values(ports));
  const led = (address) => {
    const port = LOCAL.has(address.host ?? "localhost") ? ports[address.port] : undefined;
    return port === undefined ? address : { ...address, host: "127.0.0.1", port };
  };

  const connect = net.createConnection;
  const connectLed = (first, ...rest) => {
    const options = typeof first === "object" ? led(first) : first;
    const socket = connect(options, ...rest);
    if (started.has(options.port)) {
      open.add(socket);
      socket.once("close", () => open.delete(socket));
    }
    return socket;
  };
  Object.assign(net, { connect: connectLed, createConnection: connectLed });
  syncBuiltinESMExports();

  // valkey-glide connects outside of Node.
  Logger.setLoggerConfig("off");
  for (const Client of [GlideClient, GlideClusterClient]) {
    const create = Client.createClient;
    Client.createClient = async (options) => {
      const client = await create.call(Client, { ...options, addresses: options.addresses.map(led) });
      open.add(client);
      const close = client.close.bind(client);
      client.close = (...args) => {
        open.delete(client);
        return close(...args);
      };
      return client;
    };
  }
  return open;
}
