/** Questions to the server that this page came from. */
import type { Decision } from "sluice";
import type { Histories, Identities, IdentityQuestion } from "../../src/live/live-messages.js";
import { RefusedByServer, TokenNeeded } from "./failures.js";

export interface Server {
  events(signal: AbortSignal): Promise<Response>;
  histories(of: readonly HistoryName[]): Promise<Histories>;
  identities(limit: string, signal: AbortSignal): Promise<Identities>;
  peek(question: IdentityQuestion): Promise<DecisionAsJson>;
  change(how: Change, question: IdentityQuestion): Promise<void>;
}

export interface HistoryName {
  readonly kind: "limit" | "command";
  readonly name: string;
}

export type Change = "reset" | "refund";

/** JSON has no infinity: null stands for it. */
type AsJson<Verdict> = {
  readonly [Field in keyof Verdict]: Verdict[Field] extends number ? number | null : Verdict[Field];
};
export type DecisionAsJson = Omit<AsJson<Decision>, "limits" | "shadow"> & {
  readonly limits: readonly AsJson<Decision["limits"][number]>[];
  readonly shadow?: DecisionAsJson;
};

export function createServer(token: () => string | undefined, onTokenNeeded: () => void): Server {
  async function ask(path: string, { headers, ...init }: RequestInit = {}): Promise<Response> {
    const given = token();
    const response = await fetch(path, {
      ...init,
      cache: "no-store",
      headers: { ...headers, ...(given !== undefined && { Authorization: `Bearer ${given}` }) },
    });
    if (response.status === 401) {
      onTokenNeeded();
      throw new TokenNeeded("The server asks for a token.");
    }
    if (!response.ok) throw await refusalIn(response);
    return response;
  }

  const post = (what: string, question: IdentityQuestion) =>
    ask(`live/identities/${what}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(question),
    });

  return {
    events: (signal) => ask("live/events", { signal, headers: { Accept: "text/event-stream" } }),
    async histories(of) {
      const query = new URLSearchParams(of.map(({ kind, name }) => [kind, name]));
      return (await (await ask(`live/history?${query}`)).json()) as Histories;
    },
    async identities(limit, signal) {
      const response = await ask(`live/identities?${new URLSearchParams({ limit })}`, { signal });
      return (await response.json()) as Identities;
    },
    async peek(question) {
      return (await (await post("peek", question)).json()) as DecisionAsJson;
    },
    async change(how, question) {
      await post(how, question);
    },
  };
}

async function refusalIn(response: Response): Promise<RefusedByServer> {
  const body: unknown = await response.json().catch(() => undefined);
  const detail =
    typeof body === "object" && body !== null && "detail" in body ? String(body.detail) : undefined;
  const seconds = Number(response.headers.get("Retry-After") ?? 0);
  return new RefusedByServer(
    detail ?? `The server answered ${response.status}.`,
    response.status,
    Number.isFinite(seconds) ? seconds * 1000 : 0,
  );
}
