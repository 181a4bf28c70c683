/** A connection that sends any bytes and reads what comes, for what no library would send. */
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { decode, encode } from "../../../sluice/test/redis-servers/resp.js";

export class RawClient implements Disposable {
  readonly socket: Socket;
  private received = Buffer.alloc(0);
  private ended = false;
  private wake = () => {};

  constructor(port: number) {
    this.socket = connect(port, "127.0.0.1");
    this.socket.on("data", (chunk) => {
      this.received = Buffer.concat([this.received, chunk]);
      this.wake();
    });
    this.socket.on("error", () => {});
    this.socket.on("close", () => {
      this.ended = true;
      this.wake();
    });
  }

  send(bytes: string | Buffer): void {
    this.socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
  }

  /** The reply to a command, in RESP2; an error reply as an Error. */
  async ask(...args: readonly string[]): Promise<unknown> {
    this.socket.write(encode(args));
    return this.reply();
  }

  async reply(): Promise<unknown> {
    for (;;) {
      const reply = decode(this.received);
      if (reply !== undefined) {
        this.received = this.received.subarray(reply.end);
        return reply.value;
      }
      await this.more();
    }
  }

  async replies(count: number): Promise<readonly unknown[]> {
    const replies: unknown[] = [];
    while (replies.length < count) replies.push(await this.reply());
    return replies;
  }

  /** All bytes until the server closes. */
  async rest(): Promise<string> {
    while (!this.ended) await this.more(true);
    return this.received.toString("latin1");
  }

  /** All bytes so far, once there are so many. */
  async text(length: number): Promise<string> {
    while (this.received.length < length) await this.more();
    const text = this.received.toString("latin1");
    this.received = Buffer.alloc(0);
    return text;
  }

  close(): void {
    this.socket.destroy();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  private async more(endIsFine = false): Promise<void> {
    if (this.ended && !endIsFine) throw new Error("The server closed the connection.");
    const timeout = new AbortController();
    const woken = new Promise<void>((resolve) => {
      this.wake = resolve;
    });
    const late = delay(20_000, undefined, { signal: timeout.signal }).then(
      () => {
        throw new Error("The server did not answer within 20 s.");
      },
      () => {},
    );
    await Promise.race([woken, late]);
    timeout.abort();
  }
}
