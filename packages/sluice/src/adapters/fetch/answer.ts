/** The way through a gate for a handler that returns its response. */

import type { Passed } from "../../http/gate/gate.js";
import { whenBodyEnds } from "./body-end.js";
import type { FetchRequest } from "./request.js";
import { emptyResponse, type FetchResponse, withHeaders } from "./response.js";

/** Bun has a handler return nothing for a connection that it has made a WebSocket. */
const SWITCHING_PROTOCOLS = 101;

/** Answers with the headers of the gate, and settles when the response has ended or the handler has thrown. */
export async function answerThrough<Native extends FetchResponse, Response extends Native | undefined>(
  { headers, settle }: Passed<Native>,
  request: FetchRequest,
  handle: () => Response | PromiseLike<Response>,
): Promise<Response> {
  let response: Response;
  try {
    response = await handle();
  } catch (error) {
    void settle?.({ status: 500, aborted: false, native: emptyResponse(500) });
    throw error;
  }
  if (response === undefined) {
    void settle?.({ status: SWITCHING_PROTOCOLS, aborted: false, native: emptyResponse(200) });
    return response;
  }
  /** What the response has comes from gates inside this one, which was entered before them. */
  const answer = withHeaders(response, headers, "outside");
  if (settle === undefined) return answer;
  const { status } = answer;
  return whenBodyEnds(answer, request, (aborted) => void settle({ status, aborted, native: answer }));
}
