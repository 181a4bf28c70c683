/** When the body of a Fetch response has ended, in whatever way: read to its end, or left by its client. */
import type { FetchRequest } from "./request.js";
import { copyOf, type FetchResponse } from "./response.js";

interface Body {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: unknown }>;
    cancel(reason: unknown): Promise<void>;
  };
}

interface Source {
  pull(controller: {
    enqueue(chunk: unknown): void;
    close(): void;
    error(reason: unknown): void;
  }): Promise<void>;
  cancel(reason: unknown): Promise<void>;
}

/** The response to return in its place. A server that finds its client gone may never touch the body. */
export function whenBodyEnds<Response extends FetchResponse>(
  response: Response,
  request: FetchRequest,
  ended: (aborted: boolean) => void,
): Response {
  const { signal } = request;
  if (signal?.aborted) ended(true);
  else signal?.addEventListener("abort", () => ended(true), { once: true });
  if (request.method === "HEAD" || !response.body) {
    ended(false);
    return response;
  }
  return copyOf(response, watched(response.body as Body, ended));
}

/** Read only as it is asked for, as without a watcher. */
function watched(body: Body, ended: (aborted: boolean) => void): unknown {
  const reader = body.getReader();
  const { ReadableStream } = globalThis as unknown as {
    readonly ReadableStream: new (source: Source, strategy: { readonly highWaterMark: number }) => unknown;
  };
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          controller.close();
          ended(false);
        } catch (error) {
          controller.error(error);
          ended(true);
        }
      },
      async cancel(reason) {
        ended(true);
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
