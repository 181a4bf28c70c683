/** When a response of Node has ended, in whatever way: sent to its end, or left by its client. */

export interface EndingResponse {
  readonly statusCode: number;
  readonly writableEnded: boolean;
  readonly writableFinished?: boolean;
  readonly destroyed?: boolean;
  /** Only of http2. */
  readonly stream?: { readonly destroyed?: boolean };
  once(event: "close", listener: () => void): unknown;
}

/** Node says "close" after every response, also where the connection stays open; but only once. */
export function whenEnded(response: EndingResponse, ended: (aborted: boolean) => void): void {
  const end = () => ended(!isWhole(response));
  if (isClosed(response)) end();
  else response.once("close", end);
}

function isClosed({ destroyed, stream }: EndingResponse): boolean {
  return destroyed ?? stream?.destroyed ?? false;
}

/** A stream of http2 also says that it is finished when the client has reset it. */
function isWhole({ writableEnded, writableFinished = true }: EndingResponse): boolean {
  return writableEnded && writableFinished;
}
