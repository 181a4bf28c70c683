/** What is of the Fetch standard: answers that cannot be changed, bodies in pieces, addresses of many runtimes; and types. */
import { describe, expect, test, vi } from "vitest";
import { gate } from "../../src/adapters/fetch/fetch.js";
import { NoAddress } from "../../src/http/address/client-address.js";
import type { SettledResponse } from "../../src/http/gate/settlement.js";
import { sluiceAt } from "../sluice-at.js";

const ASKED = new Request("http://localhost/hello?q=1");
const hello = () => new Response("hello");
const anybody = { facts: { user: () => "ada" } };

/** A settle function that remembers what it was told. */
function ledger() {
  const told: Pick<SettledResponse, "status" | "aborted">[] = [];
  const settle = ({ status, aborted }: SettledResponse) => {
    told.push({ status, aborted });
    return 1;
  };
  return { told, options: { ...anybody, settle } };
}

describe("the address", () => {
  const server = { requestIP: (_request: Request) => ({ address: "203.0.113.1" }) };
  const info = { remoteAddr: { hostname: "203.0.113.1" } };

  test("is where Bun, Deno and Workers have it", async () => {
    const onBun = gate("ip:1/m", {
      address: (request: Request, { requestIP }: typeof server) => requestIP(request)?.address,
    })((_request: Request, _server: typeof server) => hello());
    expect([(await onBun(ASKED, server)).status, (await onBun(ASKED, server)).status]).toEqual([200, 429]);

    const onDeno = gate("ip:1/m", {
      address: (_request: Request, { remoteAddr }: typeof info) => remoteAddr.hostname,
    })((_request: Request, _info: typeof info) => hello());
    expect([(await onDeno(ASKED, info)).status, (await onDeno(ASKED, info)).status]).toEqual([200, 429]);

    const onWorkers = gate("ip:1/m", { address: ({ headers }) => headers.get("cf-connecting-ip") })(hello);
    const asked = new Request("http://localhost/", { headers: { "cf-connecting-ip": "203.0.113.1" } });
    expect([(await onWorkers(asked)).status, (await onWorkers(asked)).status]).toEqual([200, 429]);
  });

  test("is asked for where nobody says it, unless a proxy is trusted", async () => {
    await expect(gate("ip:1/m")(hello)(ASKED)).rejects.toThrow(NoAddress);
    await expect(gate("ip:1/m", { address: () => null })(hello)(ASKED)).rejects.toThrow("server.requestIP");
    const asked = new Request("http://localhost/", { headers: { "x-forwarded-for": "203.0.113.1" } });
    const onNext = gate("ip:1/m", { trust: 1 })(hello);
    expect([(await onNext(asked)).status, (await onNext(asked)).status]).toEqual([200, 429]);
  });
});

describe("the answer", () => {
  test.each([
    ["a redirection", () => Response.redirect("http://localhost/other", 302), 302],
    ["one without a body", () => new Response(null, { status: 204 }), 204],
    ["a usual one", hello, 200],
  ])("gets headers: %s", async (_, answer, status) => {
    const answered = await gate("user:9/m", { ...anybody, sluice: sluiceAt(0).sluice })(answer)(ASKED);
    expect([answered.status, answered.headers.get("ratelimit")]).toEqual([status, '"user:9/m";r=8;t=60']);
  });

  test("stays as it is where it can be neither changed nor copied", async () => {
    const failed = Response.error();
    expect(await gate("user:9/m", anybody)(() => failed)(ASKED)).toBe(failed);
  });

  test("may be none, where a connection has been upgraded", async () => {
    const { told, options } = ledger();
    const upgrade = gate("user:9/m", options)(() => undefined);
    expect(await upgrade(ASKED)).toBeUndefined();
    expect(told).toEqual([{ status: 101, aborted: false }]);
  });

  test("is none of the gate's where the handler throws", async () => {
    const { told, options } = ledger();
    const broken = gate(
      "user:9/m",
      options,
    )(async (): Promise<Response> => {
      throw new Error("broken");
    });
    await expect(broken(ASKED)).rejects.toThrow("broken");
    expect(told).toEqual([{ status: 500, aborted: false }]);
  });

  test("to a refused HEAD has no body", async () => {
    const guarded = gate("user:1/m", { ...anybody, sluice: sluiceAt(0).sluice })(hello);
    await guarded(ASKED);
    const head = await guarded(new Request(ASKED, { method: "HEAD" }));
    expect([head.status, head.body, head.headers.get("retry-after")]).toEqual([429, null, "60"]);
  });
});

describe("settling", () => {
  /** A body that counts how much of it was asked for. */
  function pieces(count: number) {
    let asked = 0;
    const cancelled = vi.fn();
    const body = new ReadableStream<string>(
      {
        pull(controller) {
          asked += 1;
          if (asked > count) controller.close();
          else controller.enqueue(`${asked}`);
        },
        cancel: cancelled,
      },
      { highWaterMark: 0 },
    );
    return { body: body.pipeThrough(new TextEncoderStream()), asked: () => asked, cancelled };
  }

  test("waits until the body has been read to its end", async () => {
    const { told, options } = ledger();
    const answered = await gate("user:9/m", options)(() => new Response(pieces(3).body, { status: 201 }))(
      ASKED,
    );
    expect(told).toEqual([]);
    expect([answered.status, await answered.text()]).toEqual([201, "123"]);
    expect(told).toEqual([{ status: 201, aborted: false }]);
  });

  test("hears of a body that is given up, and passes it on", async () => {
    const { told, options } = ledger();
    const { body, cancelled } = pieces(3);
    const answered = await gate("user:9/m", options)(() => new Response(body))(ASKED);
    const reader = answered.body!.getReader();
    await reader.read();
    await reader.cancel("gone");
    expect(told).toEqual([{ status: 200, aborted: true }]);
    expect(cancelled).toHaveBeenCalledWith("gone");
  });

  test("hears of a body that breaks", async () => {
    const { told, options } = ledger();
    const body = new ReadableStream({ pull: () => Promise.reject(new Error("broken")) });
    const answered = await gate("user:9/m", options)(() => new Response(body))(ASKED);
    await expect(answered.text()).rejects.toThrow("broken");
    expect(told).toEqual([{ status: 200, aborted: true }]);
  });

  test("hears of a client that has gone, whose body nobody touches", async () => {
    const { told, options } = ledger();
    const { abort, signal } = abortable();
    const guarded = gate("user:9/m", options)(hello);
    await guarded(new Request(ASKED, { signal }));
    expect(told).toEqual([]);
    abort();
    expect(told).toEqual([{ status: 200, aborted: true }]);
    await guarded(new Request(ASKED, { signal }));
    expect(told).toHaveLength(2);
  });

  test("does not wait for what has no body to read", async () => {
    const { told, options } = ledger();
    await gate("user:9/m", options)(() => new Response(null, { status: 204 }))(ASKED);
    await gate("user:9/m", options)(hello)(new Request(ASKED, { method: "HEAD" }));
    expect(told).toEqual([
      { status: 204, aborted: false },
      { status: 200, aborted: false },
    ]);
  });

  test("reads no more of a body than it is asked for", async () => {
    const { options } = ledger();
    const source = { asked: 0 };
    const body = new ReadableStream(
      {
        pull(controller) {
          source.asked += 1;
          controller.enqueue(new Uint8Array(1));
        },
      },
      { highWaterMark: 0 },
    );
    const answered = await gate("user:9/m", options)(() => new Response(body))(ASKED);
    expect(source.asked).toBe(0);
    const reader = answered.body!.getReader();
    await reader.read();
    expect(source.asked).toBe(1);
    await reader.cancel();
  });
});

function abortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

/** Compiled, not called. */
export function typesOfFetch(): void {
  /** As Next.js has them. */
  interface NextRequest extends Request {
    readonly nextUrl: URL;
  }
  type RouteContext = { readonly params: Promise<{ id: string }> };
  const GET: (request: NextRequest, context: RouteContext) => Promise<Response> = gate("ip:100/m", {
    trust: 1,
  })(async (request: NextRequest, { params }: RouteContext) =>
    Response.json({ id: (await params).id, path: request.nextUrl.pathname }),
  );
  const plain: (request: Request) => Promise<Response> = gate("ip:100/m")(() => new Response("hello"));
  gate<Request, readonly unknown[], Response>("ip:5/m", { settle: ({ native }) => (native.ok ? 0 : 1) });
  // @ts-expect-error a handler gives a response
  gate("ip:5/m")(() => "hello");
  void [GET, plain];
}
