/** A line to a server that a test can cut and mend. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export class BreakableLine implements AsyncDisposable {
  private readonly sockets = new Set<Socket>();
  private isCut = false;
  private readonly listener = createServer((from) => {
    if (this.isCut) {
      from.destroy();
      return;
    }
    const to = connect(this.target, "127.0.0.1");
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      this.sockets.add(one);
      one.pipe(other);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        this.sockets.delete(one);
        other.destroy();
      });
    }
  });

  /** The port of the server, which may change. */
  constructor(public target: number) {}

  async listen(): Promise<number> {
    this.listener.listen(0, "127.0.0.1");
    await once(this.listener, "listening");
    return (this.listener.address() as AddressInfo).port;
  }

  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  mend(): void {
    this.isCut = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    this.listener.close();
    await once(this.listener, "close");
  }
}
